import { cx } from '../cx.ts'

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
