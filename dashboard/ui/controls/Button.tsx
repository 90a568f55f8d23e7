import { LoaderCircle } from 'lucide-react'
import { useEffect, useState, type ComponentProps, type MouseEvent } from 'react'
import { cx } from '../cx.ts'
import { Icon, type IconType } from '../Icon.tsx'
import { Keys } from '../text/Keys.tsx'
import { Tooltip } from '../floats/Tooltip.tsx'

type Props = Omit<ComponentProps<'button'>, 'disabled'> &
  Omit<ButtonLook, 'square'> & {
    icon?: IconType | undefined
    /** Working: clicks do nothing, and after 300 ms a spinner shows without changing the width. */
    busy?: boolean | undefined
    /** Why the reader may not or cannot do this now. The button stays reachable and says so. */
    disabledReason?: string | false | undefined
    /** For "nothing to save yet", where a sentence would only be noise. */
    disabled?: boolean | undefined
    keys?: string | undefined
  }

export function Button({
  variant,
  size,
  icon,
  busy = false,
  disabledReason,
  keys,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: Props) {
  const spinning = useLate(busy)
  const idle = busy || Boolean(disabledReason)

  function click(event: MouseEvent<HTMLButtonElement>) {
    if (idle) event.preventDefault()
    else onClick?.(event)
  }

  const button = (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type -- the type is one of the three, 'button' unless told
      type={type}
      className={buttonClass({ variant, size }, className)}
      aria-busy={spinning || undefined}
      aria-disabled={Boolean(disabledReason) || undefined}
      onClick={click}
    >
      {icon && <Icon of={spinning ? LoaderCircle : icon} />}
      <span className="lb">
        {spinning && !icon && <Icon of={LoaderCircle} size="xs" />}
        {children}
      </span>
      {keys && <Keys of={keys} />}
    </button>
  )
  return disabledReason ? <Tooltip text={disabledReason}>{button}</Tooltip> : button
}

export type ButtonVariant = 'secondary' | 'primary' | 'ghost' | 'danger' | 'danger-quiet'

const variants: Record<ButtonVariant, string | undefined> = {
  secondary: undefined,
  primary: 'pri',
  ghost: 'gho',
  danger: 'dan',
  'danger-quiet': 'dao',
}

export type ButtonLook = {
  variant?: ButtonVariant | undefined
  /** 28 px in bars (tool), 32 px in forms. */
  size?: 'tool' | 'form' | undefined
  square?: boolean | undefined
}

/** The classes of a button, also for links that look like one. */
export const buttonClass = ({ variant = 'secondary', size, square }: ButtonLook, extra?: string) =>
  cx('btn', size === 'form' && 'f', square && 'sq', variants[variant], extra)

/** True once `on` has been true for `ms` without a break: what is quick shows no spinner. */
export function useLate(on: boolean, ms = 300): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!on) return undefined
    const timer = setTimeout(() => setLate(true), ms)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [on, ms])
  return on && late
}
