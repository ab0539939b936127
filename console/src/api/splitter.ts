/** Splits a JSON array that arrives in pieces into its items; each character is looked at once. */
export class Splitter {
  /** What came of the item that is not complete, in pieces: joined once, however long it is. */
  private parts: string[] = [];
  private depth = 0;
  private quoted = false;
  private escaping = false;

  /** The items that are complete after this piece. */
  push(piece: string): unknown[] {
    const items: unknown[] = [];
    let start = this.depth > 1 ? 0 : -1;
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at];
      if (this.quoted) {
        if (this.escaping) this.escaping = false;
        else if (character === "\\") this.escaping = true;
        else if (character === '"') this.quoted = false;
      } else if (character === '"') this.quoted = true;
      else if (character === "{" || character === "[") {
        if (this.depth === 1 && character === "{") start = at;
        this.depth++;
      } else if (character === "}" || character === "]") {
        this.depth--;
        if (this.depth === 1 && character === "}") {
          items.push(JSON.parse(this.parts.join("") + piece.slice(start, at + 1)));
          this.parts = [];
          start = -1;
        }
      }
    }
    if (start >= 0) this.parts.push(piece.slice(start));
    return items;
  }
}
