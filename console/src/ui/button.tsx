import type { ComponentPropsWithRef, ReactNode } from "react";
import { Link } from "wouter";

type Kind = "plain" | "primary" | "quiet" | "danger";
interface Looks {
  kind?: Kind;
  small?: boolean;
  icon?: ReactNode;
}

function classes({ kind = "plain", small }: Looks, onlyIcon: boolean): string {
  return ["btn", kind === "plain" ? "" : kind, small ? "s" : "", onlyIcon ? "icon" : ""].filter(Boolean).join(" ");
}

/** A button says as a verb what happens. */
export function Button({ kind, small, icon, children, ...rest }: Looks & ComponentPropsWithRef<"button">): ReactNode {
  return (
    <button type="button" className={classes({ kind, small } as Looks, false)} {...rest}>
      {icon}
      {children}
    </button>
  );
}

/** A button that shows an icon alone; `label` is its name, and its tip. */
export function IconButton({
  label,
  icon,
  kind = "quiet",
  small,
  ...rest
}: Looks & { label: string } & ComponentPropsWithRef<"button">): ReactNode {
  return (
    <button
      type="button"
      className={classes({ kind, small } as Looks, true)}
      aria-label={label}
      title={label}
      {...rest}
    >
      {icon}
    </button>
  );
}

export function LinkButton({
  kind,
  small,
  icon,
  href,
  children,
}: Looks & { href: string; children: ReactNode }): ReactNode {
  return (
    <Link href={href} className={classes({ kind, small } as Looks, false)}>
      {icon}
      {children}
    </Link>
  );
}
