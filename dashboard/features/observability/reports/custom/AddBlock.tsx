import { ChartNoAxesColumn, Plus, SquareTerminal, TextQuote } from 'lucide-react'
import { useState } from 'react'
import { chartOf, type ChartKey } from '#contract/observability/report-charts'
import type { ReportBlock } from '#contract/observability/report-content'
import { reportKeys, reportOf } from '#contract/observability/report-pages'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CodeField } from '../../../../ui/controls/CodeField.tsx'
import { SelectField } from '../../../../ui/controls/Select.tsx'
import { TextArea, TextField } from '../../../../ui/controls/TextField.tsx'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../../ui/floats/MenuItem.tsx'
import { withNew, type BlockContent, type BlockKind } from '../../../../modules/reports/blocks.ts'

type Props = {
  blocks: readonly ReportBlock[]
  denied: string | undefined
  onAdd: (blocks: ReportBlock[]) => void
}

/** Puts something new at the end of a report. */
export function AddBlock({ blocks, denied, onAdd }: Props) {
  const [kind, setKind] = useState<BlockKind>()
  const common = { verb: 'Add to report', onClose: () => setKind(undefined) }
  const add = (content: BlockContent) => {
    onAdd(withNew(blocks, content))
    setKind(undefined)
  }
  return (
    <>
      <Menu
        label="Add block"
        trigger={
          <Button icon={Plus} disabledReason={denied}>
            Add block
          </Button>
        }
      >
        <MenuItem icon={ChartNoAxesColumn} onSelect={() => setKind('chart')}>
          Chart
        </MenuItem>
        <MenuItem icon={SquareTerminal} onSelect={() => setKind('sql')}>
          Query
        </MenuItem>
        <MenuItem icon={TextQuote} onSelect={() => setKind('text')}>
          Text
        </MenuItem>
      </Menu>
      {kind === 'chart' && (
        <ChartDialog {...common} onDone={(chart) => add({ kind: 'chart', chart })} />
      )}
      {kind === 'sql' && (
        <QueryDialog
          {...common}
          title=""
          sql=""
          onDone={(query) => add({ kind: 'sql', ...query })}
        />
      )}
      {kind === 'text' && (
        <TextDialog {...common} text="" onDone={(text) => add({ kind: 'text', text })} />
      )}
    </>
  )
}

type EditProps = {
  block: ReportBlock
  onDone: (block: ReportBlock) => void
  onClose: () => void
}

/** Changes what a block says. A chart is replaced by another block instead. */
export function EditBlock({ block, onDone, onClose }: EditProps) {
  const common = { verb: 'Done', onClose }
  switch (block.kind) {
    case 'text':
      return (
        <TextDialog {...common} text={block.text} onDone={(text) => onDone({ ...block, text })} />
      )
    case 'sql':
      return (
        <QueryDialog
          {...common}
          title={block.title}
          sql={block.sql}
          onDone={(query) => onDone({ ...block, ...query })}
        />
      )
    case 'chart':
      return null
  }
}

type Common = { verb: string; onClose: () => void }

/** By the report that has them: several have charts of the same name. */
const chartOptions = reportKeys.flatMap((report) =>
  reportOf(report).charts.map((key) => ({
    value: key,
    label: chartOf(key).title,
    group: reportOf(report).title,
  })),
)

function ChartDialog(props: Common & { onDone: (chart: ChartKey) => void }) {
  const { verb, onDone, onClose } = props
  const [chart, setChart] = useState<ChartKey>()
  return (
    <FormDialog
      title="Add a chart"
      size="small"
      verb={verb}
      pending={false}
      disabled={!chart}
      onSubmit={() => chart && onDone(chart)}
      onClose={onClose}
    >
      <SelectField label="Chart" options={chartOptions} value={chart} onChange={setChart} />
    </FormDialog>
  )
}

const longestText = 10_000

function TextDialog(props: Common & { text: string; onDone: (text: string) => void }) {
  const { verb, onDone, onClose } = props
  const [text, setText] = useState(props.text)
  return (
    <FormDialog
      title="Text"
      verb={verb}
      pending={false}
      disabled={text.trim() === ''}
      onSubmit={() => onDone(text)}
      onClose={onClose}
    >
      <TextArea
        label="Text"
        help="Markdown: headings, lists, emphasis, links. Pictures are not loaded."
        rows={10}
        maxLength={longestText}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  )
}

const longestTitle = 200
const longestSql = 20_000

type QueryProps = Common & {
  title: string
  sql: string
  onDone: (query: { title: string; sql: string }) => void
}

function QueryDialog({ verb, onDone, onClose, ...before }: QueryProps) {
  const [title, setTitle] = useState(before.title)
  const [sql, setSql] = useState(before.sql)
  const tooLong = sql.length > longestSql
  return (
    <FormDialog
      title="Query"
      verb={verb}
      pending={false}
      disabled={sql.trim() === '' || tooLong}
      onSubmit={() => onDone({ title: title.trim(), sql })}
      onClose={onClose}
    >
      <TextField
        label="Title"
        value={title}
        maxLength={longestTitle}
        onChange={(event) => setTitle(event.target.value)}
      />
      <CodeField
        label="SQL"
        help="It runs with the rights of whoever looks at the report, and can only read."
        error={tooLong ? `At most ${longestSql} characters` : undefined}
        isProgram
        lines={[6, 14]}
        value={sql}
        onValue={setSql}
      />
    </FormDialog>
  )
}
