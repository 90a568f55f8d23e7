import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Column } from '#contract/database/pg-meta-shapes'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { ValueArea } from '../../../../ui/text/ValueArea.tsx'
import { moved, readArray, writeArray } from './literals.ts'

type Props = {
  column: Column
  /** The whole array; null is NULL, which is not the same as an array without items. */
  text: string | null
  disabled: boolean
  onText: (text: string) => void
}

/** An array of one dimension, item by item. Only for a text that is one, or NULL. */
export function ArrayFields({ column, text, disabled, onText }: Props) {
  const items = itemsOf(column, text) ?? []
  const box = useRef<HTMLDivElement>(null)
  const added = useRef(false)
  useEffect(() => {
    if (!added.current) return
    added.current = false
    const fields = box.current?.querySelectorAll<HTMLElement>('textarea, .in.sel')
    fields?.[fields.length - 1]?.focus()
  }, [items.length])
  const write = (next: readonly (string | null)[]) => onText(writeArray(next))
  const put = (at: number, value: string | null) => write(items.with(at, value))
  const add = () => {
    added.current = true
    write([...items, column.enums[0] ?? ''])
  }
  return (
    <div className="form-stack" ref={box}>
      {items.length === 0 && (
        <p className="muted">{text === null ? 'The array is NULL.' : 'The array has no items.'}</p>
      )}
      {items.map((value, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- an item is known by its place alone
        <div className="row array-item" key={at}>
          <div className="grow">
            {column.enums.length > 0 ? (
              <Select
                label={`Item ${at + 1}`}
                options={column.enums.map((one) => ({ value: one, label: one }))}
                value={value ?? undefined}
                placeholder="NULL"
                disabled={disabled}
                onChange={(next) => put(at, next)}
              />
            ) : (
              <ValueArea
                label={`Item ${at + 1}`}
                mono
                rows={1}
                disabled={disabled}
                spellCheck={false}
                placeholder={value === null ? 'NULL' : 'EMPTY'}
                value={value ?? ''}
                onText={(next) => put(at, next)}
              />
            )}
          </div>
          {!disabled && (
            <>
              <Button
                variant="ghost"
                aria-label={`Set item ${at + 1} to NULL`}
                aria-pressed={value === null}
                onClick={() => put(at, null)}
              >
                NULL
              </Button>
              <IconButton
                icon={ArrowUp}
                iconSize="s"
                label={`Move item ${at + 1} up`}
                disabledReason={at === 0 && 'It is the first item'}
                onClick={() => write(moved(items, at, at - 1))}
              />
              <IconButton
                icon={ArrowDown}
                iconSize="s"
                label={`Move item ${at + 1} down`}
                disabledReason={at === items.length - 1 && 'It is the last item'}
                onClick={() => write(moved(items, at, at + 1))}
              />
              <IconButton
                icon={X}
                iconSize="s"
                label={`Remove item ${at + 1}`}
                onClick={() => write(items.toSpliced(at, 1))}
              />
            </>
          )}
        </div>
      ))}
      {!disabled && (
        <span className="row">
          <Button icon={Plus} onClick={add}>
            Add item
          </Button>
          {text === null && (
            <Button variant="ghost" onClick={() => write([])}>
              Empty array
            </Button>
          )}
        </span>
      )}
    </div>
  )
}

/** Undefined: no array, several dimensions, or places of its own; it is edited as text. Only boxes lie between semicolons. */
export function itemsOf({ data_type, format }: Column, text: string | null) {
  if (data_type !== 'ARRAY' || format === '_box') return undefined
  return text === null ? [] : readArray(text)
}
