import { numberText } from '../../../../ui/text/number.ts'

/** 86, 1,904, 12.9k, 2.1M: as exact as an estimate deserves. */
export function shortCount(count: number): string {
  if (count < 10_000) return numberText(count)
  if (count < 999_500) return `${short(count / 1000)}k`
  if (count < 999_500_000) return `${short(count / 1_000_000)}M`
  return `${short(count / 1_000_000_000)}G`
}

const short = (value: number) =>
  value < 99.95 ? value.toFixed(1).replace(/\.0$/, '') : value.toFixed(0)
