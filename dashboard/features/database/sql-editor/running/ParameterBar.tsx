import { useSyncExternalStore } from 'react'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { cx } from '../../../../ui/cx.ts'
import type { OpenQuery } from '../open-query.ts'
import { namesIn } from './parameter-values.ts'
import { useQueryView, useWorkspace } from '../use-workspace.ts'

type Props = {
  query: OpenQuery
  /** Names that a run was asked for without. */
  missing: readonly string[]
  onRun: () => void
}

/** A value for each `:name` of the text. They travel apart from it, so no quotes are needed around them. */
export function ParameterBar({ query, missing, onRun }: Props) {
  const { parameters } = useWorkspace()
  const names = useQueryView(query, (view) => namesIn(view.values.sql))
  const values = useSyncExternalStore(parameters.subscribe, () => parameters.of(query.id))
  if (names.length === 0) return null
  return (
    <form
      className="sql-parameters scroll"
      aria-label="Parameters"
      onSubmit={(event) => {
        event.preventDefault()
        onRun()
      }}
    >
      {names.map((name) => {
        const value = values[name]
        const isMissing = value === undefined && missing.includes(name)
        return (
          <div key={name} className="sql-parameter">
            <label className={cx('mono', isMissing && 'tone-danger')} htmlFor={`parameter-${name}`}>
              :{name}
            </label>
            <input
              id={`parameter-${name}`}
              className="in mono"
              autoComplete="off"
              aria-invalid={isMissing || undefined}
              placeholder={
                value === null ? 'NULL' : value === undefined ? 'no value yet' : 'empty text'
              }
              disabled={value === null}
              value={value ?? ''}
              onChange={(event) => parameters.set(query.id, name, event.target.value)}
            />
            <Checkbox
              label="NULL"
              aria-label={`${name} is NULL`}
              checked={value === null}
              onChange={(event) => parameters.set(query.id, name, event.target.checked ? null : '')}
            />
          </div>
        )
      })}
      {missing.some((name) => values[name] === undefined) && (
        <p className="t12 tone-danger" role="alert">
          Give every parameter a value, or choose NULL.
        </p>
      )}
      <button type="submit" hidden aria-hidden tabIndex={-1} />
    </form>
  )
}
