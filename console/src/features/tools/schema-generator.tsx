import { IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { call } from "../../api/call";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Diff } from "../../ui/diff";
import { CheckField, SelectField, TextField } from "../../ui/field";
import { ErrorNote } from "../../ui/states";
import { t } from "../../words/words";
import "../../schema-form/schema-form.css";

type Sample = op.GenerateOpenApiSchemaRequest_Sample;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const EMPTY: Sample = { url: "", method: "GET", requestBody: "", responseBody: "" };

/** Samples in, schema out; the result is a difference to accept. */
export function SchemaGenerator(props: {
  agent: string;
  current: string;
  onTake: (schema: string) => void;
  onClose: () => void;
}): ReactNode {
  const [samples, setSamples] = useState<Sample[]>([EMPTY]);
  const [prompt, setPrompt] = useState("");
  const [merge, setMerge] = useState(false);
  const [made, setMade] = useState<op.GenerateOpenApiSchemaResponse | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const set = (index: number, next: Sample): void =>
    setSamples(samples.map((each, at) => (at === index ? next : each)));
  async function generate(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      const request = { agent: props.agent, samples: samples.filter(({ url }) => url), prompt };
      setMade(await call(opApi.generateOpenApiSchema, merge ? { ...request, schema: props.current } : request));
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Dialog label={t("Generate a schema from samples")} onClose={props.onClose} className="wide-dialog">
      <div className="stack gap-top">
        {samples.map((sample, index) => (
          <fieldset className="group" key={index}>
            <legend>{t("Sample {n}", { n: index + 1 })}</legend>
            <div className="stack">
              <div className="row">
                <SelectField
                  label={t("Method")}
                  value={sample.method ?? "GET"}
                  options={METHODS.map((value) => ({ value, label: value }))}
                  onChange={(method) => set(index, { ...sample, method })}
                />
                <div className="grow">
                  <TextField
                    label="URL"
                    value={sample.url ?? ""}
                    placeholder="https://api.example.com/things?limit=2"
                    onChange={(url) => set(index, { ...sample, url })}
                  />
                </div>
              </div>
              <div className="pair">
                <TextField
                  label={t("Request body")}
                  mono
                  rows={4}
                  value={sample.requestBody ?? ""}
                  onChange={(requestBody) => set(index, { ...sample, requestBody })}
                />
                <TextField
                  label={t("Response body")}
                  mono
                  rows={4}
                  value={sample.responseBody ?? ""}
                  onChange={(responseBody) => set(index, { ...sample, responseBody })}
                />
              </div>
            </div>
          </fieldset>
        ))}
        <div className="row">
          <Button small icon={<IconPlus size={14} />} onClick={() => setSamples([...samples, EMPTY])}>
            {t("Another sample")}
          </Button>
          <CheckField label={t("Merge into the schema that is here")} value={merge} onChange={setMerge} />
        </div>
        <TextField label={t("What the API does, in words")} value={prompt} onChange={setPrompt} />
        {error ? <ErrorNote error={error} /> : null}
        {made && (
          <>
            {made.remarks?.map((remark) => (
              <p key={remark} className="note plain">
                {remark}
              </p>
            ))}
            <Diff before={props.current} after={made.schema ?? ""} label={t("What would change")} />
          </>
        )}
      </div>
      <div className="dialog-foot">
        <Button kind="quiet" onClick={props.onClose}>
          {t("Cancel")}
        </Button>
        <Button
          kind={made ? "plain" : "primary"}
          disabled={isBusy || !samples.some(({ url }) => url)}
          onClick={() => void generate()}
        >
          {t("Generate")}
        </Button>
        {made && (
          <Button kind="primary" onClick={() => props.onTake(made.schema ?? "")}>
            {t("Use this schema")}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
