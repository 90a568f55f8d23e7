import { cx } from '../cx.ts'

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

/** Two letters for a person ('Ines Okafor' and 'ines.okafor@x' are IO), one for a thing. */
function initials(name: string, letters: 1 | 2 = 2): string {
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/).filter(Boolean)
  return words
    .slice(0, letters)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase()
}
