/** The file that was dropped on one view and is looked at in another. */
let offered: File | null = null;

export function offer(file: File): void {
  offered = file;
}

export function takeOffered(): File | null {
  const file = offered;
  offered = null;
  return file;
}
