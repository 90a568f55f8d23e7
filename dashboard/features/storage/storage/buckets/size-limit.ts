export const sizeUnits = ['bytes', 'KB', 'MB', 'GB'] as const
export type SizeUnit = (typeof sizeUnits)[number]
const factor: Record<SizeUnit, number> = { bytes: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

export type SizeLimit = { text: string; unit: SizeUnit }

/** The largest unit in which it is a short number. */
export function limitOf(bytes: number | null): SizeLimit {
  if (bytes === null) return { text: '', unit: 'MB' }
  const unit = sizeUnits.toReversed().find((one) => bytes % factor[one] === 0) ?? 'bytes'
  return { text: String(bytes / factor[unit]), unit }
}

/** Null: no limit of its own. NaN for what is no size. */
export function bytesOf({ text, unit }: SizeLimit): number | null {
  if (text.trim() === '') return null
  const bytes = Math.round(Number(text.trim().replace(',', '.')) * factor[unit])
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : Number.NaN
}
