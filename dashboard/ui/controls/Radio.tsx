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
