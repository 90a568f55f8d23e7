import type { ComponentProps, ReactNode } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type' | 'className' | 'children'> & {
  label: ReactNode
  /** A second, muted line. */
  help?: ReactNode
}

/** One of several. Put them in a RadioGroup, which names the choice. */
export function Radio({ label, help, ...input }: Props) {
  return (
    <label className="choice">
      <input {...input} type="radio" className="sr" />
      <span className="ck rd" aria-hidden />
      <span>
        {label}
        {help && <span className="choice-help">{help}</span>}
      </span>
    </label>
  )
}

type RadioGroupProps = { label: string; help?: ReactNode; children: ReactNode }

/** A named choice between radios. */
export function RadioGroup({ label, help, children }: RadioGroupProps) {
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      <div className="stack">{children}</div>
      {help && <p className="help">{help}</p>}
    </fieldset>
  )
}
