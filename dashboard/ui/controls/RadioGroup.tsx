import type { ReactNode } from 'react'

type Props = { label: string; help?: ReactNode; children: ReactNode }

/** A named choice between radios. */
export function RadioGroup({ label, help, children }: Props) {
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      <div className="stack">{children}</div>
      {help && <p className="help">{help}</p>}
    </fieldset>
  )
}
