import { Clock } from 'lucide-react'
import { useState } from 'react'
import type { LogSource } from '#contract/observability/log-sources'
import { Button } from '../../ui/controls/Button.tsx'
import { Form } from '../../ui/controls/Form.tsx'
import { TextField } from '../../ui/controls/TextField.tsx'
import { Popover } from '../../ui/floats/Popover.tsx'
import { OptionList } from '../../ui/lists/OptionList.tsx'
import { spanText } from './log-time.ts'
import {
  choiceOf,
  denialOf,
  firstPreset,
  fixedRange,
  keptText,
  localText,
  presets,
  type PresetId,
  type Range,
  type RangeChoice,
} from './range.ts'
import './range-picker.css'

type Props = {
  choice: RangeChoice
  /** What the choice stands for now. */
  range: Range
  source: LogSource
  /** For how long entries of the source are kept, in milliseconds. */
  kept: number
  onChoice: (choice: RangeChoice) => void
}

/** Which time is looked at: up to now, or between two moments. What the plan does not keep says which plan does. */
export function RangePicker({ choice, range, source, kept, onChoice }: Props) {
  const [open, setOpen] = useState(false)
  const fixed = fixedRange(choice)
  const preset = presets.find(({ id }) => id === (choice.range ?? firstPreset))
  const label = fixed ? spanText(fixed.from, fixed.to) : (preset?.label ?? '')
  const choose = (next: RangeChoice) => {
    setOpen(false)
    onChoice(next)
  }
  return (
    <Popover
      label="Time range"
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button icon={Clock} aria-label={`Time range: ${label}`}>
          {label}
        </Button>
      }
    >
      <div className="log-ranges">
        <OptionList<PresetId>
          label="Time range"
          value={fixed ? undefined : preset?.id}
          options={presets.map(({ id, label: name, ms }) => {
            const denial = denialOf(ms, source, kept)
            return {
              value: id,
              label: name,
              disabledReason: denial,
              end: denial && <Kept why={denial} />,
            }
          })}
          onSelect={(id) => choose({ range: id })}
        />
        <Between
          key={`${range.from}.${range.to}`}
          range={range}
          kept={kept}
          onRange={(next) => choose(choiceOf(next))}
        />
      </div>
    </Popover>
  )
}

const Kept = ({ why }: { why: string }) => <span className="t12 log-kept">{why}</span>

type BetweenProps = { range: Range; kept: number; onRange: (range: Range) => void }

function Between({ range, kept, onRange }: BetweenProps) {
  const [from, setFrom] = useState(() => localText(range.from))
  const [to, setTo] = useState(() => localText(range.to))
  const [wrong, setWrong] = useState<string>()
  function submit() {
    const next = { from: new Date(from).getTime(), to: new Date(to).getTime() }
    if (!(next.from < next.to)) return setWrong('The end must be after the beginning')
    if (next.to <= Date.now() - kept) return setWrong(keptText(kept))
    return onRange(next)
  }
  return (
    <Form className="form-stack log-between" error={undefined} pending={false} onSubmit={submit}>
      <TextField
        label="From"
        type="datetime-local"
        step={1}
        size="tool"
        value={from}
        onChange={(event) => setFrom(event.target.value)}
      />
      <TextField
        label="To"
        type="datetime-local"
        step={1}
        size="tool"
        error={wrong}
        value={to}
        onChange={(event) => setTo(event.target.value)}
      />
      <Button type="submit">Apply</Button>
    </Form>
  )
}
