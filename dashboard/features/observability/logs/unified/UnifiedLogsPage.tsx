import { PageHead } from '../../../../ui/Page.tsx'
import { NotRunning } from '../../../../session/project/NotRunning.tsx'
import { LogView } from '../LogView.tsx'
import type { LogParams } from '../question.ts'
import { allScope } from '../scope.ts'
import { Facets } from './Facets.tsx'
import '../logs.css'
import './unified.css'

type Props = {
  projectRef: string
  params: LogParams
  onParams: (params: LogParams) => void
}

/** /project/{ref}/logs while its preview is on: what all services of a project have written, in one list. */
export function UnifiedLogsPage({ projectRef, params, onParams }: Props) {
  return (
    <main className="main log-page" id="main">
      <div className="wrap">
        <PageHead
          title="All logs"
          help="What every service has written, in one list. Paste a request ID to follow one request."
        />
        <NotRunning projectRef={projectRef} what="entries" className="log-note" />
        <LogView
          key={projectRef}
          {...{ projectRef, params, onParams }}
          scope={allScope}
          Facets={Facets}
        />
      </div>
    </main>
  )
}
