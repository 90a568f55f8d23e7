import type { LucideIcon } from 'lucide-react'
import { cx } from './cx.ts'

export type IconType = LucideIcon

type Props = {
  of: IconType
  /** 16 px unless told: s 14, xs 12, l 18. */
  size?: 's' | 'xs' | 'l' | undefined
  className?: string | undefined
}

/** A Lucide drawing in our stroke and size. Says nothing to screen readers: the words beside it do. */
export function Icon({ of: Drawing, size, className }: Props) {
  return <Drawing className={cx('i', size, className)} aria-hidden />
}
