import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Icon, type IconType } from './Icon.tsx'

export type AlertVariant = 'danger' | 'warning' | 'info' | 'success' | 'neutral'

const looks: Record<AlertVariant, { className: string | undefined; icon: IconType }> = {
  danger: { className: 'da', icon: CircleAlert },
  warning: { className: 'wa', icon: TriangleAlert },
  info: { className: 'nf', icon: Info },
  success: { className: 'ok', icon: CircleCheck },
  neutral: { className: undefined, icon: Info },
}

type Props = {
  variant: AlertVariant
  title: ReactNode
  icon?: IconType
  /** A button at the right. */
  action?: ReactNode
  children?: ReactNode
}

export function Alert({ variant, title, icon, action, children }: Props) {
  const look = looks[variant]
  return (
    <div className={cx('alert', look.className)} role={variant === 'danger' ? 'alert' : 'status'}>
      <Icon of={icon ?? look.icon} />
      <div className="grow">
        <b>{title}</b>
        {children && <div className="alert-text">{children}</div>}
      </div>
      {action}
    </div>
  )
}
