/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role --
   an option element holds text only */
import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '../cx.ts'
import type { Option } from '../controls/options.ts'

type Props = {
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
export function OptionRow({
  id,
  option,
  heading,
  active,
  selected,
  mark,
  onPoint,
  onChoose,
}: Props) {
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
