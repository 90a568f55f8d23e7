import type { ReactNode } from 'react'

type Props = { label: string; children: ReactNode }

/** A text to read that may be longer than its box, and then scrolls: with the keyboard too. */
export function CodeWell({ label, children }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable
    <pre className="code well scroll" tabIndex={0} aria-label={label}>
      {children}
    </pre>
  )
}
