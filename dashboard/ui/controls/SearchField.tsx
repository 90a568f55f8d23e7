import { Search } from 'lucide-react'
import { useRef } from 'react'
import { useCommands } from '../floats/commands.ts'
import { Icon } from '../Icon.tsx'
import { Keys } from '../text/Keys.tsx'

type Props = {
  /** What is searched, as "Find a project". */
  label: string
  value: string
  onChange: (text: string) => void
  width?: number
  /** The key that moves here; '/' unless told, false for none. */
  keys?: string | false
}

/** The search box of a list. Escape empties it. */
export function SearchField({ label, value, onChange, width = 220, keys = '/' }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useCommands(
    keys
      ? [
          {
            id: `search.${label}`,
            section: 'This page',
            name: label,
            icon: Search,
            keys,
            run: () => input.current?.focus(),
          },
        ]
      : [],
  )
  return (
    <div className="in search" style={{ width }}>
      <Icon of={Search} size="s" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('')
        }}
      />
      {keys && !value && <Keys of={keys} />}
    </div>
  )
}
