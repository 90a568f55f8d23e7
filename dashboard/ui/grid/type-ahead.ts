/** Keys that were pressed in the grid and belong to the editor that they opened. */
export type TypeAhead = {
  /** Typed since the edit was begun and before its editor was there; undefined when none is on its way. */
  text: string | undefined
  at: number
  /** Set by the editor while it is there: the grid may still have the focus for a moment. */
  deliver: ((key: string) => void) | undefined
}

export const createTypeAhead = (): TypeAhead => ({ text: undefined, at: 0, deliver: undefined })

/** An editor that has not come after this many milliseconds will not come any more. */
const patience = 1500

type Press = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }

export const isLetter = ({ key, ctrlKey, metaKey, altKey }: Press) =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey

/** True: the key is the editor's. The grid would begin another edit with it and lose what was typed before. */
export function noteKey(ahead: TypeAhead, press: Press, now: number): boolean {
  const { key } = press
  const printable = isLetter(press)
  if (ahead.deliver) {
    if (printable) ahead.deliver(key)
    return printable
  }
  const waiting = ahead.text !== undefined && now - ahead.at < patience
  if (waiting && key === 'Enter') return true
  if (!printable) {
    ahead.text = undefined
    return false
  }
  ahead.text = waiting ? `${ahead.text ?? ''}${key}` : key
  if (!waiting) ahead.at = now
  return waiting
}

/** What an editor that was opened by typing `first` begins with. */
export const typedAhead = ({ text }: TypeAhead, first: string): string =>
  text?.startsWith(first) ? text : first

/** The editor is there; answers how to say that it is gone. */
export function attend(ahead: TypeAhead, deliver: (key: string) => void): () => void {
  ahead.text = undefined
  ahead.deliver = deliver
  return () => {
    if (ahead.deliver === deliver) ahead.deliver = undefined
  }
}
