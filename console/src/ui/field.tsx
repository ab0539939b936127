import { type ReactNode, useId } from "react";

interface FieldProps {
  label: ReactNode;
  kind?: string | undefined;
  hint?: ReactNode;
  wrong?: string | undefined;
  required?: boolean | undefined;
  action?: ReactNode;
  children: (attributes: { id: string; "aria-describedby": string; "aria-invalid": boolean }) => ReactNode;
}

/** A labelled control, with what it is for below it, or what is wrong with it. */
export function Field({ label, kind, hint, wrong, required, action, children }: FieldProps): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <div className="label">
        {/* The name alone is in the label: it is what people and tests look for. */}
        <label htmlFor={id} className="clip">
          {label}
        </label>
        {required && (
          <span className="star" aria-hidden="true">
            *
          </span>
        )}
        {kind && <span className="kind">{kind}</span>}
        {action}
      </div>
      {children({ id, "aria-describedby": `${id}-about`, "aria-invalid": !!wrong })}
      <div id={`${id}-about`}>
        {wrong ? <p className="wrong">{wrong}</p> : hint ? <p className="hint">{hint}</p> : null}
      </div>
    </div>
  );
}

interface TextProps {
  label: ReactNode;
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  wrong?: string | undefined;
  placeholder?: string;
  required?: boolean;
  rows?: number;
  mono?: boolean;
  type?: string;
  autoFocus?: boolean;
  disabled?: boolean;
}

export function TextField(props: TextProps): ReactNode {
  const { label, value, onChange, hint, wrong, placeholder, required, rows, mono, type = "text", ...rest } = props;
  const className = mono ? "input mono" : "input";
  return (
    <Field label={label} hint={hint} wrong={wrong} required={required}>
      {(attributes) =>
        rows ? (
          <textarea
            {...attributes}
            {...rest}
            className={className}
            rows={rows}
            value={value}
            placeholder={placeholder}
            onChange={(event) => onChange(event.target.value)}
          />
        ) : (
          <input
            {...attributes}
            {...rest}
            className={className}
            type={type}
            value={value}
            placeholder={placeholder}
            autoComplete="off"
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  );
}

export interface Option {
  value: string;
  label: string;
}

export function SelectField(props: {
  label: ReactNode;
  value: string;
  options: Option[];
  onChange: (value: string) => void;
  hint?: ReactNode;
  kind?: string;
  none?: string;
}): ReactNode {
  return (
    <Field label={props.label} hint={props.hint} kind={props.kind}>
      {(attributes) => (
        <select
          {...attributes}
          className="input"
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        >
          {props.none !== undefined && <option value="">{props.none}</option>}
          {props.options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckField(props: {
  label: ReactNode;
  value: boolean;
  onChange: (value: boolean) => void;
  hint?: ReactNode;
}): ReactNode {
  return (
    <label className="check">
      <input type="checkbox" checked={props.value} onChange={(event) => props.onChange(event.target.checked)} />
      <span>
        {props.label}
        {props.hint && <span className="faint small"> {props.hint}</span>}
      </span>
    </label>
  );
}
