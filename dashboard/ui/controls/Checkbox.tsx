import { Check, Minus } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Icon } from '../Icon.tsx'

type Props = Omit<ComponentProps<'input'>, 'type' | 'className' | 'children'> & {
  label: ReactNode
  /** Some of what it stands for: drawn as a bar. */
  mixed?: boolean
  hideLabel?: boolean
}

export function Checkbox({ label, mixed = false, hideLabel, ref, ...input }: Props) {
  return (
    <label className="choice">
      <input
        {...input}
        ref={(element) => {
          if (element) element.indeterminate = mixed
          if (typeof ref === 'function') return ref(element)
          if (ref) ref.current = element
          return undefined
        }}
        type="checkbox"
        className="sr"
      />
      <span className={cx('ck', mixed && 'mix')} aria-hidden>
        <Icon of={mixed ? Minus : Check} />
      </span>
      <span className={hideLabel ? 'sr' : undefined}>{label}</span>
    </label>
  )
}
