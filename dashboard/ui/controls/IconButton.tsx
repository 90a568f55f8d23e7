import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, MouseEvent } from 'react'
import { buttonClass, useLate, type ButtonLook } from './Button.tsx'
import { Icon, type IconType } from '../Icon.tsx'
import { Tooltip } from '../floats/Tooltip.tsx'

type Props = Omit<ComponentProps<'button'>, 'children' | 'disabled'> &
  Omit<ButtonLook, 'square'> & {
    icon: IconType
    iconSize?: 's' | undefined
    /** What it does; also the tooltip. */
    label: string
    keys?: string | undefined
    busy?: boolean | undefined
    disabledReason?: string | false | undefined
  }

export function IconButton({
  icon,
  iconSize,
  label,
  keys,
  busy = false,
  disabledReason,
  variant = 'ghost',
  size,
  className,
  onClick,
  ...rest
}: Props) {
  const spinning = useLate(busy)
  const idle = busy || Boolean(disabledReason)

  function click(event: MouseEvent<HTMLButtonElement>) {
    if (idle) event.preventDefault()
    else onClick?.(event)
  }

  return (
    <Tooltip text={disabledReason || label} keys={disabledReason ? undefined : keys}>
      <button
        {...rest}
        type="button"
        className={buttonClass({ variant, size, square: true }, className)}
        aria-label={label}
        aria-busy={spinning || undefined}
        aria-disabled={Boolean(disabledReason) || undefined}
        onClick={click}
      >
        <Icon of={spinning ? LoaderCircle : icon} size={iconSize} />
      </button>
    </Tooltip>
  )
}
