import { useMemo } from 'react'
import type { LogSource } from '#contract/observability/log-sources'
import type { LogFilter } from '#contract/observability/logs'
import { LogView } from './LogView.tsx'
import type { LogParams } from './question.ts'
import { scopeOf } from './scope.ts'

type Props = {
  projectRef: string
  /** Of the function, as its entries name it. */
  functionId: string
  source: Extract<LogSource, 'function_logs' | 'function_edge_logs'>
  params: LogParams
  onParams: (params: LogParams) => void
}

/** The entries of one function, within its pages. */
export function FunctionLogs({ functionId, source, ...view }: Props) {
  const fixed = useMemo(
    (): LogFilter[] => [{ field: 'function_id', op: 'is', values: [functionId] }],
    [functionId],
  )
  return (
    <div className="log-inside">
      <LogView {...view} scope={scopeOf(source)} fixed={fixed} />
    </div>
  )
}
