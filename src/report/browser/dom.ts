/** What may stand inside an element. Strings become text nodes: nothing of a session is ever read as markup. */
export type Child = Node | string | undefined | readonly Child[];

/** Makes an element. Attributes that are undefined are left out. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined) {
      made.setAttribute(attribute, value);
    }
  }
  append(made, children);
  return made;
}

function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined) {
      continue;
    }
    if (typeof child === 'string') {
      parent.appendChild(document.createTextNode(child));
    } else if (child instanceof Node) {
      parent.appendChild(child);
    } else {
      append(parent, child);
    }
  }
}

/** A table whose columns after the first ones are numbers, inside a box that scrolls sideways on a phone. */
export function table(columns: readonly Column[], rows: readonly (readonly Child[])[]): HTMLElement {
  const classOf = (index: number): string | undefined => (columns[index]?.isNumber ? 'number' : undefined);
  const cells = (name: 'td' | 'th', row: readonly Child[]): HTMLElement[] =>
    row.map((cell, index) => element(name, {class: classOf(index)}, cell));
  return element(
    'div',
    {class: 'scroll', tabindex: '0'},
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          cells(
            'th',
            columns.map((column) => column.title),
          ),
        ),
      ),
      element(
        'tbody',
        {},
        rows.map((row) => element('tr', {}, cells('td', row))),
      ),
    ),
  );
}

export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
}
