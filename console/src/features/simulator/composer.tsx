import { IconArrowUp, IconPlayerStop, IconPlus } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { opApi } from "../../api/generated/methods";
import { useRpc } from "../../api/query";
import { count, t } from "../../words/words";

const LANGUAGES = ["en", "de", "es", "fr", "it", "ja", "ko", "pt", "nl", "pl"];

export function Composer(props: {
  onSend: (text: string) => void;
  onStop: () => void;
  onNew: () => void;
  running: boolean;
  hasOpenCall: boolean;
  model: string;
  onModel: ((model: string) => void) | null;
  language: string;
  onLanguage: (language: string) => void;
  pending: number;
}): ReactNode {
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const models = useRpc(opApi.getServerInfo, {}).data?.models ?? [];
  useEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(160, element.scrollHeight)}px`;
  }, [text]);
  function send(): void {
    if (!text.trim() || props.running) return;
    props.onSend(text.trim());
    setText("");
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }
  return (
    <form
      className="compose"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className="compose-box">
        <textarea
          ref={field}
          rows={1}
          autoFocus
          aria-label={t("Message")}
          placeholder={props.hasOpenCall ? t("Say something. Text now cancels the open call.") : t("Say something")}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {props.running ? (
          <button
            type="button"
            className="btn icon"
            aria-label={t("Stop")}
            title={t("Stop listening")}
            onClick={props.onStop}
          >
            <IconPlayerStop size={16} />
          </button>
        ) : (
          <button type="submit" className="btn primary icon" aria-label={t("Send")} title={t("Send")}>
            <IconArrowUp size={16} />
          </button>
        )}
      </div>
      <div className="under">
        {props.onModel && (
          <select
            className="mini-select"
            aria-label={t("Model of the next turn")}
            value={props.model}
            onChange={(event) => props.onModel?.(event.target.value)}
          >
            <option value="">{models[0]?.name ?? t("default model")}</option>
            {models.slice(1).map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
        <select
          className="mini-select"
          aria-label={t("Language")}
          value={props.language}
          onChange={(event) => props.onLanguage(event.target.value)}
        >
          {LANGUAGES.map((language) => (
            <option key={language}>{language}</option>
          ))}
        </select>
        {props.pending > 0 && (
          <span className="tag tone-tool">
            {count(props.pending, "{n} parameter goes along", "{n} parameters go along")}
          </span>
        )}
        <span className="grow" />
        <button type="button" className="chip" onClick={props.onNew}>
          <IconPlus size={13} aria-hidden="true" />
          {t("New conversation")}
        </button>
      </div>
    </form>
  );
}
