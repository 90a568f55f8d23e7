import { Meter } from '../Meter.tsx'
import type { StrengthView } from './password-strength.ts'

type Props = {
  view: StrengthView | undefined
  /** Said while nothing is known. */
  hint?: string
}

/** How hard a password is to guess, as a bar and a sentence. Keeps its place while nothing is known. */
export function StrengthMeter({ view, hint = '' }: Props) {
  return (
    <div className="strength">
      <Meter label="Password strength" percent={view?.percent ?? 0} tone={view?.tone ?? 'danger'} />
      <p className="t12 muted" aria-live="polite">
        {view ? [view.message, view.warning].filter(Boolean).map(sentence).join(' ') : hint}
      </p>
    </div>
  )
}

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`)
