/** Splits a JSON array that arrives in pieces into its items; each character is looked at once. */
export class Splitter {
  private text = "";
  private at = 0;
  private start = -1;
  private depth = 0;
  private quoted = false;
  private escaping = false;

  /** The items that are complete after this piece. */
  push(piece: string): unknown[] {
    this.text += piece;
    const items: unknown[] = [];
    for (; this.at < this.text.length; this.at++) {
      const character = this.text[this.at];
      if (this.quoted) {
        if (this.escaping) this.escaping = false;
        else if (character === "\\") this.escaping = true;
        else if (character === '"') this.quoted = false;
      } else if (character === '"') this.quoted = true;
      else if (character === "{" || character === "[") {
        if (this.depth === 1 && character === "{") this.start = this.at;
        this.depth++;
      } else if (character === "}" || character === "]") {
        this.depth--;
        if (this.depth === 1 && character === "}") {
          items.push(JSON.parse(this.text.slice(this.start, this.at + 1)));
          this.text = this.text.slice(this.at + 1);
          this.at = -1;
        }
      }
    }
    return items;
  }
}
