import { useState } from 'react'
import { chartOf, type ChartKey } from '#contract/observability/report-charts'
import { reportKeys, reportOf } from '#contract/observability/report-pages'
import { CodeField } from '../../../../ui/controls/CodeField.tsx'
import { SelectField } from '../../../../ui/controls/Select.tsx'
import { TextArea, TextField } from '../../../../ui/controls/TextField.tsx'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'

type Common = { verb: string; onClose: () => void }

/** By the report that has them: several have charts of the same name. */
const chartOptions = reportKeys.flatMap((report) =>
  reportOf(report).charts.map((key) => ({
    value: key,
    label: chartOf(key).title,
    group: reportOf(report).title,
  })),
)

export function ChartDialog(props: Common & { onDone: (chart: ChartKey) => void }) {
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

export function TextDialog(props: Common & { text: string; onDone: (text: string) => void }) {
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

export function QueryDialog({ verb, onDone, onClose, ...before }: QueryProps) {
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
