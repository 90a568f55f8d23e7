/** The mark: a pedestal seen from the front, on a grid of 20. */
export function Logo({ size = 20 }: { size?: 16 | 20 | 24 | 28 | 40 }) {
  return (
    <svg className="logo" width={size} height={size} viewBox="0 0 20 20" aria-hidden>
      <path className="die" d="M3 2h14v2.5l-2 2V12H5V6.5l-2-2z" />
      <path className="base" d="M4 13h12l3 2v3H1v-3z" />
    </svg>
  )
}
