import {
  IconArrowsExchange,
  IconAlertTriangle,
  IconCode,
  IconDatabaseSearch,
  IconMessage,
  IconPlayerPause,
  IconSparkles,
  IconTool,
  IconUser,
  type Icon,
} from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { memo, type MouseEvent, type ReactNode, useEffect, useMemo } from "react";
import { call } from "../../api/call";
import { opApi } from "../../api/generated/methods";
import type { op } from "../../api/generated/types";
import { FixedRows } from "../../ui/fixed-rows";
import { ErrorNote, Loading } from "../../ui/states";
import { duration } from "../../words/format";
import { count, t } from "../../words/words";
import type { LiveTurn } from "./live-turn";
import { StepDetail } from "./step-detail";
import { endedIn, lineOf, spansOf, type StepLine } from "./steps";

const ICONS: Record<StepLine["icon"], Icon> = {
  user: IconUser,
  agent: IconMessage,
  model: IconSparkles,
  tool: IconTool,
  pause: IconPlayerPause,
  hand: IconArrowsExchange,
  code: IconCode,
  retrieval: IconDatabaseSearch,
  notice: IconAlertTriangle,
};
const PAGE = 500;

/** The steps of a turn on one scale of time, and the selected one in full. */
export function Timeline({
  turn,
  step,
  onStep,
}: {
  turn: op.Turn;
  step: string;
  onStep: (step: string) => void;
}): ReactNode {
  const parent = turn.name ?? "";
  const pages = useInfiniteQuery({
    queryKey: ["steps", parent, turn.stepCount],
    queryFn: ({ pageParam, signal }) =>
      call(opApi.listTurnSteps, { parent, pageSize: PAGE, pageToken: pageParam, view: "STEP_VIEW_BASIC" }, { signal }),
    initialPageParam: "",
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const steps = useMemo(() => pages.data?.pages.flatMap((page) => page.steps ?? []) ?? [], [pages.data]);
  const first = steps.find(({ decision }) => decision) ?? steps[0];
  const selected = steps[Math.min(steps.length - 1, Number(step))] ?? undefined;
  const shown = step === "" ? first : selected;
  if (pages.error) return <ErrorNote error={pages.error} onRetry={() => void pages.refetch()} />;
  if (!pages.data) return <Loading />;
  return (
    <>
      <p className="small muted num sum-line">{sumOf(turn, steps)}</p>
      <StepList steps={steps} selected={shown} onSelect={(index) => onStep(String(index))} />
      {shown && <StepDetail key={`${parent}/${shown.number ?? 0}`} turn={turn} step={shown} said={turn.text ?? ""} />}
    </>
  );
}

function sumOf(turn: op.Turn, steps: readonly op.TurnStep[]): string {
  const models = [...new Set(steps.flatMap(({ decision }) => (decision?.model ? [decision.model] : [])))];
  const tokens = Number(turn.inputTokens ?? 0) + Number(turn.outputTokens ?? 0);
  return [
    count(turn.stepCount ?? steps.length, "{n} step", "{n} steps"),
    duration(endedIn(turn)),
    models.join(", "),
    tokens ? count(tokens, "{n} token", "{n} tokens") : t("no tokens"),
  ]
    .filter(Boolean)
    .join(" · ");
}

export function LiveTimeline({ live }: { live: LiveTurn }): ReactNode {
  return (
    <>
      <p className="small muted num sum-line">{count(live.steps.length, "{n} step", "{n} steps")}</p>
      <StepList steps={[...live.steps, ...live.underWay]} selected={undefined} onSelect={() => undefined} />
    </>
  );
}

/** Pixels of a row, as the styles have it. */
const ROW = 35;

/** Rows in order of time; long turns are windowed. */
function StepList(props: {
  steps: readonly op.TurnStep[];
  selected: op.TurnStep | undefined;
  onSelect: (index: number) => void;
}): ReactNode {
  const { steps } = props;
  const { spans, total } = useMemo(() => (steps.length ? spansOf(steps) : { spans: [], total: 1 }), [steps]);
  const at = props.selected ? steps.indexOf(props.selected) : -1;
  if (!steps.length) return null;
  function select(event: MouseEvent): void {
    const row = (event.target as Element).closest("[aria-posinset]");
    if (row) props.onSelect(Number(row.getAttribute("aria-posinset")) - 1);
  }
  return (
    <FixedRows
      className="steps"
      role="listbox"
      aria-label={t("Steps")}
      tabIndex={0}
      onClick={select}
      count={steps.length}
      height={ROW}
      at={at}
      row={(index) => (
        <StepRow
          key={index}
          step={steps[index] as op.TurnStep}
          index={index}
          count={steps.length}
          from={spans[index]?.from ?? 0}
          ms={spans[index]?.ms ?? 0}
          total={total}
          selected={index === at}
        />
      )}
    />
  );
}

const StepRow = memo(function StepRow(props: {
  step: op.TurnStep;
  index: number;
  count: number;
  /** Milliseconds since the first step began. */
  from: number;
  ms: number;
  total: number;
  selected: boolean;
}): ReactNode {
  const { ms, total } = props;
  const line = lineOf(props.step);
  const Shown = ICONS[line.icon];
  const left = Math.min(98, (100 * props.from) / total);
  const width = Math.min(100 - left, Math.max(1.5, (100 * ms) / total));
  return (
    <div
      className="step"
      role="option"
      aria-selected={props.selected}
      aria-posinset={props.index + 1}
      aria-setsize={props.count}
      style={{ paddingLeft: props.step.within ? 26 : undefined }}
    >
      <span className={`tone-${line.tone} step-icon`}>
        <Shown size={16} stroke={1.6} aria-hidden="true" />
      </span>
      <span className="step-name">
        <b className="clip">{line.name}</b>
        <span className="clip">{line.gist}</span>
      </span>
      <span className={`bar tone-${line.tone}`}>
        {ms > 0 && <i style={{ left: `${left}%`, width: `${width}%` }} />}
      </span>
      <span className="step-time">{duration(ms)}</span>
    </div>
  );
});
