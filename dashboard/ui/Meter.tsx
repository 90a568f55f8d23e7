type Props = {
  /** 0 to 100. */
  percent: number
  label: string
  tone?: 'neutral' | 'warning' | 'danger' | 'success'
}

const tones = { neutral: undefined, warning: 'w', danger: 'd', success: 'g' }

export function Meter({ percent, label, tone = 'neutral' }: Props) {
  const value = Math.max(0, Math.min(100, percent))
  return (
    <div className="meter">
      <meter className="sr" aria-label={label} min={0} max={100} value={value} />
      <i className={tones[tone]} style={{ width: `${value}%` }} />
    </div>
  )
}
