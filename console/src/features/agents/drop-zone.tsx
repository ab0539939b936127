import { IconUpload } from "@tabler/icons-react";
import { type ReactNode, useRef, useState } from "react";
import { useLocation } from "wouter";
import { t } from "../../words/words";
import { offer } from "./offered-file";
import "./agents.css";

/** Takes an export that is dropped or chosen, and leads to its report; nothing is stored before it was read. */
export function DropZone(): ReactNode {
  const [, navigate] = useLocation();
  const [over, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  function take(file: File | undefined): void {
    if (!file) return;
    offer(file);
    navigate("/agents?import=1");
  }
  return (
    <div
      className={over ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files[0]);
      }}
    >
      <IconUpload size={16} aria-hidden="true" />
      <span className="grow">
        {t(
          "Drop an export here: a zip of Dialogflow CX or CX Agent Studio. You see what is in it before anything is kept.",
        )}
      </span>
      <button type="button" className="btn s" onClick={() => picker.current?.click()}>
        {t("Choose a file")}
      </button>
      <input
        ref={picker}
        type="file"
        accept=".zip,.blob,.json"
        hidden
        aria-label={t("Export to import")}
        onChange={(event) => take(event.target.files?.[0])}
      />
    </div>
  );
}
