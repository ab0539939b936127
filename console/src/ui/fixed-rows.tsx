import { type HTMLAttributes, type ReactNode, useLayoutEffect, useRef, useState } from "react";

const ALL_SHOWN = 60;
/** Rows are put on the page and taken off it in groups, so that most frames of scrolling change nothing. */
const GROUP = 16;
/** Groups on the page when the height of the box is not known yet. */
const FIRST = 4;

/** Rows of one height in a box; of many, only those about what is in sight are on the page. */
export function FixedRows(
  props: HTMLAttributes<HTMLDivElement> & {
    count: number;
    /** In pixels, its border included. */
    height: number;
    /** The row that is in sight whenever it becomes another; -1 for none. */
    at: number;
    row: (index: number) => ReactNode;
  },
): ReactNode {
  const { count, height, at, row, ...box } = props;
  const ref = useRef<HTMLDivElement>(null);
  const [groups, setGroups] = useState({ from: 0, to: FIRST });
  const isLong = count > ALL_SHOWN;

  function look(): void {
    const { scrollTop = 0, clientHeight = 0 } = ref.current ?? {};
    const from = Math.max(0, Math.floor(scrollTop / height / GROUP) - 1);
    const to = Math.ceil((scrollTop + clientHeight) / height / GROUP) + 1;
    setGroups((known) => (known.from === from && known.to === to ? known : { from, to }));
  }
  useLayoutEffect(() => {
    const shown = ref.current;
    if (!shown || !isLong) return;
    if (at >= 0) {
      const top = at * height;
      const lowest = top + height - shown.clientHeight;
      if (shown.scrollTop > top) shown.scrollTop = top;
      else if (shown.scrollTop < lowest) shown.scrollTop = lowest;
    }
    look();
  }, [at, isLong, height]);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(look);
    if (ref.current && isLong) watch.observe(ref.current);
    return () => watch.disconnect();
  }, [isLong, height]);

  const from = isLong ? Math.min(groups.from * GROUP, count) : 0;
  const to = isLong ? Math.min(groups.to * GROUP, count) : count;
  const rows = Array.from({ length: to - from }, (_, index) => row(from + index));
  return (
    <div {...box} ref={ref} data-long={isLong} onScroll={isLong ? look : undefined}>
      {isLong ? (
        <div className="fixed-rows" style={{ height: count * height }} role="presentation">
          <div style={{ transform: `translateY(${from * height}px)` }} role="presentation">
            {rows}
          </div>
        </div>
      ) : (
        rows
      )}
    </div>
  );
}
