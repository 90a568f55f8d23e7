import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Icon, type IconType } from '../Icon.tsx'

export type Tone = 'neutral' | 'success' | 'warning' | 'danger' | 'info' | 'solid'

const tones: Record<Tone, string | undefined> = {
  neutral: undefined,
  success: 'ok',
  warning: 'wa',
  danger: 'da',
  info: 'in_',
  solid: 'so',
}

type Props = { tone?: Tone; icon?: IconType; dot?: boolean; children: ReactNode }

export function Badge({ tone = 'neutral', icon, dot, children }: Props) {
  return (
    <span className={cx('badge', tones[tone])}>
      {icon && <Icon of={icon} />}
      {dot && <span className={cx('dot', tones[tone])} />}
      {children}
    </span>
  )
}
