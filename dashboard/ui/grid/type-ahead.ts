/** Keys that were pressed in the grid and belong to the editor that they opened. */
export type TypeAhead = {
  /** Typed since the edit was begun and before its editor was there; undefined when none is on its way. */
  text: string | undefined
  at: number
  /** Enter was pressed after it already. */
  confirmed: boolean
  /** Set by the editor while it is there: the grid may still have the focus for a moment. */
  deliver: ((key: string) => void) | undefined
}

export const createTypeAhead = (): TypeAhead => ({
  text: undefined,
  at: 0,
  confirmed: false,
  deliver: undefined,
})

/** An editor that has not come after this many milliseconds will not come any more. */
const timeout = 1500

type Press = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }

export const isLetter = ({ key, ctrlKey, metaKey, altKey }: Press) =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey

/** True: the key is the editor's. The grid would begin another edit with it and lose what was typed before. */
export function noteKey(ahead: TypeAhead, press: Press, now: number): boolean {
  const { key } = press
  const printable = isLetter(press)
  if (ahead.deliver) {
    const forEditor = printable || key === 'Enter'
    if (forEditor) ahead.deliver(key)
    return forEditor
  }
  const waiting = ahead.text !== undefined && now - ahead.at < timeout
  if (waiting && key === 'Enter') {
    ahead.confirmed = true
    return true
  }
  if (!printable) {
    ahead.text = undefined
    return false
  }
  ahead.text = waiting ? `${ahead.text ?? ''}${key}` : key
  if (!waiting) {
    ahead.at = now
    ahead.confirmed = false
  }
  return waiting
}

/** What an editor that was opened by typing `first` begins with. */
export const typedAhead = ({ text }: TypeAhead, first: string): string =>
  text?.startsWith(first) ? text : first

/** The editor is there, and takes letters and Enter from now on; answers how to say that it is gone. */
export function attend(ahead: TypeAhead, deliver: (key: string) => void): () => void {
  const { confirmed } = ahead
  ahead.text = undefined
  ahead.confirmed = false
  ahead.deliver = deliver
  if (confirmed) deliver('Enter')
  return () => {
    if (ahead.deliver === deliver) ahead.deliver = undefined
  }
}
