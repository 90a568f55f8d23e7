import type { Count } from '#contract/integrations/queues'
import { numberText } from '../../../ui/text/number.ts'

/** `12`, or `≈ 1,203,000` for what was estimated. */
export const countText = ({ count, is_estimate }: Count): string =>
  is_estimate ? `≈ ${numberText(rounded(count))}` : numberText(count)

/** To three figures: the others would claim what nobody has counted. */
const rounded = (count: number): number => {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(count, 1))) - 2)
  return Math.round(count / unit) * unit
}
