import { cx } from '../cx.ts'
import { initials } from './initials.ts'

type Props = {
  name: string
  /** People are round, organizations and projects square. */
  square?: boolean
  size?: 20 | 24 | 32 | 40
}

export function Avatar({ name, square = false, size = 24 }: Props) {
  return (
    <span className={cx('av', square && 'sqr', `av-${size}`)} aria-hidden>
      {initials(name, square ? 1 : 2)}
    </span>
  )
}
