/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role --
   a select cannot be searched, nor show a dot or a second column */
import { Check, Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useState, useEffect, useRef } from 'react'
import { Icon } from '../Icon.tsx'
import { cx } from '../cx.ts'
import { type Option, matching, maxShown, nextOption } from '../controls/options.ts'

type Props<Value extends string> = {
  label: string
  options: readonly Option<Value>[]
  value: Value | undefined
  onSelect: (value: Value) => void
  /** The words in the search box; without them there is none. */
  search?: string | undefined
  /** Follows what is typed, for lists that are longer than what was loaded. */
  onType?: ((typed: string) => void) | undefined
  /** Said when nothing matches. */
  nothing?: string
  footer?: ReactNode
}

/** A listbox with the keyboard of one: arrows, Home, End, Enter, and typing when it has a search box. */
export function OptionList<Value extends string>({
  label,
  options,
  value,
  onSelect,
  search,
  onType,
  nothing = 'Nothing found',
  footer,
}: Props<Value>) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const found = matching(options, typed)
  const shown = found.slice(0, maxShown)
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      shown.findIndex((option) => option.value === value),
    ),
  )
  const active = shown[at]

  function choose(option: Option<Value> | undefined) {
    if (option && !option.disabledReason) onSelect(option.value)
  }

  function press(event: KeyboardEvent) {
    const moves: Record<string, () => void> = {
      ArrowDown: () => setAt(nextOption(shown, at, 1)),
      ArrowUp: () => setAt(nextOption(shown, at, -1)),
      Home: () => setAt(nextOption(shown, -1, 1)),
      End: () => setAt(nextOption(shown, shown.length, -1)),
      Enter: () => choose(active),
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }

  const list = {
    'aria-label': label,
    // Values may have spaces, ids may not.
    'aria-activedescendant': active ? `${id}-${at}` : undefined,
    onKeyDown: press,
  }
  return (
    <>
      {search && (
        <div className="q">
          <Icon of={Search} size="s" />
          <input
            {...list}
            role="combobox"
            aria-expanded
            aria-controls={id}
            aria-autocomplete="list"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened to be typed in
            autoFocus
            placeholder={search}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              onType?.(event.target.value)
              setAt(0)
            }}
          />
        </div>
      )}
      <ul
        id={id}
        role="listbox"
        className="menu options"
        {...(search ? { 'aria-label': label, tabIndex: -1 } : { ...list, tabIndex: 0 })}
      >
        {shown.map((option, index) => (
          <OptionRow
            key={option.value}
            id={`${id}-${index}`}
            option={option}
            heading={option.group !== shown[index - 1]?.group ? option.group : undefined}
            active={index === at}
            selected={option.value === value}
            mark={<Icon of={Check} size="s" />}
            onPoint={() => setAt(index)}
            onChoose={() => choose(option)}
          />
        ))}
      </ul>
      {shown.length === 0 && <p className="options-note">{nothing}</p>}
      {found.length > maxShown && (
        <p className="options-note">{found.length - maxShown} more. Keep typing to find them.</p>
      )}
      {footer && <div className="menu options-foot">{footer}</div>}
    </>
  )
}

/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role --
   an option element holds text only */
type OptionRowProps = {
  id: string
  option: Option
  heading: string | undefined
  active: boolean
  selected: boolean
  mark: ReactNode
  onPoint: () => void
  onChoose: () => void
}

/** One option of an OptionList, with the heading of its group above the first. */
function OptionRow({
  id,
  option,
  heading,
  active,
  selected,
  mark,
  onPoint,
  onChoose,
}: OptionRowProps) {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (active) row.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <>
      {heading && (
        <li role="presentation" className="menu-label">
          {heading}
        </li>
      )}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the list or its search box has the keyboard */}
      <li
        ref={row}
        id={id}
        role="option"
        className={cx('mi', active && 'is-hover')}
        aria-selected={selected}
        aria-disabled={option.disabledReason ? true : undefined}
        title={option.disabledReason}
        onPointerMove={() => !active && onPoint()}
        onClick={onChoose}
      >
        {option.before}
        <span className="ell">{option.label}</span>
        {option.detail && <span className="mono faint ell">{option.detail}</span>}
        <span className="end">{selected ? mark : option.end}</span>
      </li>
    </>
  )
}
