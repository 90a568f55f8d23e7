import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Icon, type IconType } from './Icon.tsx'
import { IconButton } from './controls/IconButton.tsx'

type Props = {
  variant: 'danger' | 'warning' | 'notice'
  icon: IconType
  children: ReactNode
  /** A link after the text. */
  link?: ReactNode
  onDismiss?: (() => void) | undefined
}

const looks = { danger: 'da', warning: 'wa', notice: 'no' }

/** One line across the page, above the top bar. */
export function Banner({ variant, icon, children, link, onDismiss }: Props) {
  return (
    <output className={cx('banner', looks[variant])}>
      <Icon of={icon} />
      <span>
        {children}
        {link && <span className="banner-link">{link}</span>}
      </span>
      {onDismiss && (
        <IconButton className="end" icon={X} iconSize="s" label="Dismiss" onClick={onDismiss} />
      )}
    </output>
  )
}
