/** 4.13 as '4.1 ms', 0.04 as '0.04 ms', 1640 as '1.6 s'. */
export function timeText(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  return `${ms >= 100 ? Math.round(ms) : ms >= 1 ? ms.toFixed(1) : ms.toFixed(2)} ms`
}

/** A share from 0 to 1 as '12.4%'; what is there but small stays visible. */
export function percentText(share: number): string {
  if (share > 0 && share < 0.0001) return '<0.01%'
  return `${(share * 100).toFixed(share >= 0.1 ? 1 : 2)}%`
}
