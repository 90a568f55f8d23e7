import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { LintLevel } from '#contract/observability/lint-rule'
import type { Tone } from '../../../ui/text/Badge.tsx'
import type { IconType } from '../../../ui/Icon.tsx'

export const levelWords: Record<
  LintLevel,
  { one: string; many: string; tone: Tone; icon: IconType }
> = {
  ERROR: { one: 'Error', many: 'Errors', tone: 'danger', icon: CircleAlert },
  WARN: { one: 'Warning', many: 'Warnings', tone: 'warning', icon: TriangleAlert },
  INFO: { one: 'Info', many: 'Info', tone: 'info', icon: Info },
}
