import { Fragment, useMemo, useState } from 'react'
import { tableRows, type Cell, type NewCell, type RowKey } from '#contract/database/rows/table-rows'
import type { EntityColumn, EntityDetail } from '#contract/database/pg-meta-shapes'
import { callDatabase } from '../../../../session/project/database.ts'
import { FileChoice } from '../../../../modules/files/FileChoice.tsx'
import { useFilesOffered } from '../../../../modules/files/use-files-offered.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { FormPanel } from '../../../../ui/floats/FormPanel.tsx'
import { isRequired, lockedBecause, mayHoldFile, valueProblem } from '../grid/grid-columns.ts'
import { lookups } from '../grid/TableGrid.tsx'
import { useAttributes } from '../values/CompositeFields.tsx'
import { RowField } from './RowField.tsx'
import { editInsert, stageDelete, stageEdit, stageInsert } from './staged.ts'
import { type StagedOfTable, useSaveVerb } from './staged-context.ts'
import type { TableModel } from '../table-model.ts'

type Props = {
  projectRef: string
  entity: EntityDetail
  table: StagedOfTable
  model: TableModel
  readOnly: string | undefined
  /** Undefined for a row to be made. */
  row: number | undefined
  /** What a row to be made begins with. */
  initial?: Values
  onClose: () => void
}
type Values = Record<string, NewCell>

/** One row as a form. What is written here is staged like what is written into the grid. */
export function RowPanel({ projectRef, entity, table, model, readOnly, row, ...rest }: Props) {
  const { initial = {}, onClose } = rest
  const [values, setValues] = useState<Values>(initial)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [more, setMore] = useState(false)
  const [fileFor, setFileFor] = useState<string>()
  const files = useFilesOffered(projectRef)
  const lookupOf = useMemo(() => lookups(projectRef, entity), [projectRef, entity])
  const attributesOf = useAttributes(projectRef, entity, entity.columns)
  const insert = row === undefined ? undefined : model.insertAt(row)
  const key = row === undefined ? undefined : model.keyAt(row)
  const isNew = row === undefined || insert !== undefined
  const verb = useSaveVerb()
  const changed = Object.keys(values).length > 0

  function save() {
    const wrong = problemsOf(entity.columns, values)
    setProblems(wrong)
    if (Object.keys(wrong).length > 0) return
    if (key) table.change((now) => updated(now, key))
    else if (insert) table.change((now) => editInsert(now, insert.id, values))
    else table.change((now) => stageInsert(now, { id: crypto.randomUUID(), values }))
    if (row === undefined && more) setValues({})
    else onClose()
  }

  /** What was wrong is looked at again once it is written anew. */
  function put(next: Values) {
    setValues((all) => ({ ...all, ...next }))
    setProblems((all) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !(name in next))),
    )
  }

  function updated(now: typeof table.staged, of: RowKey) {
    const cells = row === undefined ? undefined : model.rowAt(row)
    return Object.entries(values).reduce((next, [name, to]) => {
      const at = entity.columns.findIndex((column) => column.name === name)
      const from: Cell = cells?.[at] ?? null
      return stageEdit(next, { key: of, column: name, from, to })
    }, now)
  }

  const load = (name: string) => async () => {
    if (!key) return null
    const input = { ref: projectRef, id: entity.id, key, column: name }
    return (await callDatabase(tableRows.value, input)).value
  }

  return (
    <FormPanel
      title={row === undefined ? `Insert a row into ${entity.name}` : `Row of ${entity.name}`}
      size="large"
      verb={verb}
      disabled={row !== undefined && !changed}
      reason={readOnly}
      others={
        <>
          {row === undefined && (
            <Checkbox
              label="Insert another"
              checked={more}
              onChange={(event) => setMore(event.target.checked)}
            />
          )}
          {key && (
            <Button
              size="form"
              variant="danger-quiet"
              disabledReason={readOnly}
              onClick={() => {
                table.change((now) => stageDelete(now, [key]))
                onClose()
              }}
            >
              Delete row
            </Button>
          )}
        </>
      }
      onSubmit={() => readOnly === undefined && save()}
      onClose={onClose}
    >
      {groupsOf(entity.columns, row === undefined).map(({ name: group, columns }) => (
        <Fragment key={group}>
          {group && <h3 className="section-title">{group}</h3>}
          {columns.map((column) => (
            <RowField
              key={column.id}
              column={column}
              isNew={isNew}
              isKey={entity.primary_key.includes(column.name)}
              shown={
                row === undefined ? undefined : model.cellAt(row, entity.columns.indexOf(column))
              }
              value={values[column.name]}
              problem={problems[column.name]}
              onValue={(value) => put({ [column.name]: value })}
              onOthers={put}
              load={load(column.name)}
              lookup={lookupOf(column)}
              attributes={attributesOf(column)}
              onFile={
                files && mayHoldFile(column) && (readOnly ?? lockedBecause(column)) === undefined
                  ? () => setFileFor(column.name)
                  : undefined
              }
            />
          ))}
        </Fragment>
      ))}
      {fileFor !== undefined && (
        <FileChoice
          projectRef={projectRef}
          onClose={() => setFileFor(undefined)}
          onChoose={(reference) => {
            put({ [fileFor]: reference })
            setFileFor(undefined)
          }}
        />
      )}
    </FormPanel>
  )
}

/** Values that can never be saved. */
const problemsOf = (columns: readonly EntityColumn[], values: Values) =>
  Object.fromEntries(
    columns.flatMap((column) => {
      const value = values[column.name]
      const problem =
        value === null || typeof value === 'string' ? valueProblem(column, value) : undefined
      return problem === undefined ? [] : [[column.name, problem] as const]
    }),
  )

/** Of a row to be made, first what it cannot be made without. */
function groupsOf(columns: readonly EntityColumn[], isNew: boolean) {
  const groups = [
    { name: 'Required', columns: columns.filter(isRequired) },
    { name: 'Optional', columns: columns.filter((column) => !isRequired(column)) },
  ].filter((group) => group.columns.length > 0)
  return isNew && groups.length > 1 ? groups : [{ name: '', columns }]
}
