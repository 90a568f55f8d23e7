import { ArrowRight, Table2, Undo2, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Column, EntityDetail } from '#contract/database/pg-meta-shapes'
import type { Cell, NewCell } from '#contract/database/rows/table-rows'
import { undoMinutes } from '#contract/database/table-views'
import { Badge } from '../../../../ui/text/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CodeBlock } from '../../../../ui/text/CodeBlock.tsx'
import type { CellView } from '../../../../ui/grid/grid-types.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { numberText } from '../../../../ui/text/number.ts'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { cellView, newCellView } from '../grid/grid-columns.ts'
import { ValueText, ExactText } from '../values/ValueText.tsx'
import { changesSql } from './changes-sql.ts'
import { ChangeSigns } from './ChangesBar.tsx'
import type { StagedOfTable } from './staged-context.ts'
import {
  keepMine,
  undoCell,
  type StagedCell,
  changesOf,
  countOf,
  dropColumn,
  keyText,
  lostColumns,
  summaryOf,
  undoDelete,
  undoInsert,
  type StagedUpdate,
} from './staged.ts'

type Props = { entity: EntityDetail; table: StagedOfTable; onClose: () => void }

/** Every change that is staged: old to new, new rows, deletions; conflicts first. */
export function ReviewPanel({ entity, table, onClose }: Props) {
  const { staged, change } = table
  const [look, setLook] = useState<'changes' | 'sql'>('changes')
  const counts = countOf(staged)
  const columnOf = (name: string) => entity.columns.find((column) => column.name === name)
  const cells = Object.entries(staged.updates).flatMap(([id, update]) =>
    Object.entries(update.set).map(([name, cell]) => ({ id, name, cell, update })),
  )
  const inConflict = ({ update, cell }: (typeof cells)[number]) => update.gone || 'theirs' in cell
  return (
    <aside className="panel review" aria-label="Review changes">
      <header>
        <h2>Review changes</h2>
        <Badge>{counts.all}</Badge>
        <span className="grow" />
        <Segmented
          label="How the changes are shown"
          options={[
            { value: 'changes', label: 'Changes' },
            { value: 'sql', label: 'SQL' },
          ]}
          value={look}
          onChange={setLook}
        />
        <IconButton icon={X} label="Close" onClick={onClose} />
      </header>
      <div className="scroll">
        <div className="review-table">
          <Icon of={Table2} size="s" />
          <span className="mono ell">
            {entity.schema}.{entity.name}
          </span>
          <span className="grow" />
          <ChangeSigns counts={counts} />
        </div>
        <p className="review-summary">{summaryOf(staged)}</p>
        {look === 'sql' && (
          <div className="review-sql">
            <SqlOfChanges sql={changesSql(entity, changesOf(staged))} />
          </div>
        )}
        {lostColumns(staged, entity.columns).map((name) => (
          <div className="review-lost" role="alert" key={name}>
            <p>
              <span className="mono">{name}</span> no longer exists. Your changes to it cannot be
              applied.
            </p>
            <Button onClick={() => change((now) => dropColumn(now, name))}>
              Discard these changes
            </Button>
          </div>
        ))}
        <ul hidden={look === 'sql'}>
          {[...cells.filter(inConflict), ...cells.filter((cell) => !inConflict(cell))].map(
            ({ id, name, cell, update }) => (
              <UpdatedCell
                key={`${id} ${name}`}
                column={columnOf(name)}
                name={name}
                cell={cell}
                update={update}
                onUndo={() => change((now) => undoCell(now, id, name))}
                onChange={change}
                id={id}
              />
            ),
          )}
          {staged.inserts.map((insert, at) => (
            <Item
              key={insert.id}
              head={
                <>
                  <b className="sign tone-success">+</b>New row {at + 1}
                </>
              }
              onUndo={() => change((now) => undoInsert(now, insert.id))}
            >
              <dl className="pairs">
                {Object.entries(insert.values).map(([name, value]) => {
                  const column = columnOf(name)
                  return (
                    <div key={name}>
                      <dt className="ell">{name}</dt>
                      <dd>
                        <ExactText view={column ? newCellView(column, value) : lostView(value)} />
                      </dd>
                    </div>
                  )
                })}
              </dl>
            </Item>
          ))}
          {Object.entries(staged.deletes).map(([id, { key }]) => (
            <Item
              key={id}
              head={
                <>
                  <b className="sign tone-danger">{'\u2212'}</b>Delete row{' '}
                  <span className="mono ell">{keyText(key)}</span>
                </>
              }
              onUndo={() => change((now) => undoDelete(now, id))}
            />
          ))}
        </ul>
      </div>
      <p className="review-note">
        Runs in one transaction.{' '}
        {entity.primary_key.length > 0
          ? `You can undo it for ${undoMinutes} minutes.`
          : 'It cannot be undone, because these rows have no key to find them by.'}
      </p>
    </aside>
  )
}

/** Characters of SQL that an editor shows without delay. */
const maxSql = 500_000

const SqlOfChanges = ({ sql }: { sql: string }) =>
  sql.length > maxSql ? (
    <p className="muted">
      The SQL has {numberText(sql.length)} characters, which are too many to show.
    </p>
  ) : (
    <CodeBlock code={sql} language="sql" what="SQL of the changes" />
  )

/** A value of a column of which nothing is known any more but its name. */
function lostView(value: Cell | NewCell): CellView {
  if (typeof value !== 'object' || value === null) return { text: value }
  return 'head' in value ? { text: value.head, cut: true } : { text: null, look: 'auto' }
}

type UpdatedProps = {
  id: string
  name: string
  column: Column | undefined
  cell: StagedCell
  update: StagedUpdate
  onUndo: () => void
  onChange: StagedOfTable['change']
}

function UpdatedCell({ id, name, column, cell, update, onUndo, onChange }: UpdatedProps) {
  const head = (
    <>
      <span className="mono ell">{keyText(update.key)}</span>
      <span className="mono faint ell">{name}</span>
    </>
  )
  if (column && (update.gone || 'theirs' in cell)) {
    return (
      <Item head={head} badge={<Badge tone="danger">Conflict</Badge>}>
        <ConflictChoice
          column={column}
          cell={cell}
          gone={update.gone === true}
          onChange={onChange}
          id={id}
        />
      </Item>
    )
  }
  return (
    <Item head={head} onUndo={onUndo}>
      <div className="diff">
        <del>
          <ExactText view={column ? cellView(column, cell.from) : lostView(cell.from)} />
        </del>
        <Icon of={ArrowRight} size="xs" />
        <ins>
          <ExactText view={column ? newCellView(column, cell.to) : lostView(cell.to)} />
        </ins>
      </div>
    </Item>
  )
}

type ItemProps = { head: ReactNode; badge?: ReactNode; onUndo?: () => void; children?: ReactNode }

function Item({ head, badge, onUndo, children }: ItemProps) {
  return (
    <li className="review-item">
      <div className="row">
        {head}
        <span className="grow" />
        {badge}
        {onUndo && (
          <IconButton icon={Undo2} iconSize="s" label="Undo this change" onClick={onUndo} />
        )}
      </div>
      {children}
    </li>
  )
}

type ConflictChoiceProps = {
  id: string
  column: Column
  cell: StagedCell
  /** The row itself was deleted. */
  gone: boolean
  onChange: StagedOfTable['change']
}

/** Somebody else was faster: whose value is it to be? */
function ConflictChoice({ id, column, cell, gone, onChange }: ConflictChoiceProps) {
  const drop = () => onChange((now) => undoCell(now, id, column.name))
  if (gone) {
    return (
      <div className="conflict">
        <p className="t12 muted">The row was deleted after you loaded it.</p>
        <Button onClick={drop}>Discard my change</Button>
      </div>
    )
  }
  return (
    <div className="conflict">
      <p className="t12 muted">It was changed after you loaded it.</p>
      <div className="conflict-sides">
        <Button onClick={() => onChange((now) => keepMine(now, id, column.name))}>Keep mine</Button>
        <span className="mono ell">
          <ValueText view={newCellView(column, cell.to)} />
        </span>
        <Button onClick={drop}>Take theirs</Button>
        <span className="mono ell">
          <ValueText view={cellView(column, cell.theirs ?? null)} />
        </span>
      </div>
    </div>
  )
}
