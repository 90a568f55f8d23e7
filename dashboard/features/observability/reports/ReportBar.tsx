import { RefreshCw } from 'lucide-react'
import { meteredServices, type MeteredService } from '#contract/billing/usage-metrics'
import type { ReportInterval } from '#contract/observability/reports'
import type { Range } from '../../../modules/logs/range.ts'
import { RangePicker } from '../../../modules/logs/RangePicker.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { intervalNames, intervalsFor, type ReportParams } from './report-params.ts'

type Props = {
  params: ReportParams
  range: Range
  /** For how long figures are kept, in milliseconds. */
  kept: number
  interval: ReportInterval
  /** Those that are chosen; undefined where no chart can be narrowed by them. */
  services: readonly MeteredService[] | undefined
  /** The time before is kept, too. */
  isComparable: boolean
  busy: boolean
  /** The same ones: the figures are asked for anew. */
  onParams: (params: ReportParams) => void
}

const serviceNames: Record<MeteredService, string> = {
  rest: 'REST',
  graphql: 'GraphQL',
  auth: 'Auth',
  storage: 'Storage',
  functions: 'Functions',
  realtime: 'Realtime',
}

/** Which time the charts are of, how fine, and of which services. All of it stands in the address. */
export function ReportBar(props: Props) {
  const { params, range, kept, interval, services, isComparable, busy, onParams } = props
  return (
    <div className="report-bar">
      {services && (
        <fieldset className="report-services" aria-label="Services">
          {meteredServices.map((service) => (
            <Button
              key={service}
              aria-pressed={services.includes(service)}
              onClick={() => onParams({ ...params, service: toggled(services, service) })}
            >
              {serviceNames[service]}
            </Button>
          ))}
        </fieldset>
      )}
      <span className="report-bar-end">
        <RangePicker
          choice={params}
          range={range}
          source="edge_logs"
          kept={kept}
          onChoice={({ range: next, from: begin, to: end }) =>
            onParams({ ...params, range: next, from: begin, to: end })
          }
        />
        <span className="report-interval">
          <Select
            label="Interval"
            size="tool"
            value={interval}
            options={intervalsFor(range).map((id) => ({ value: id, label: intervalNames[id] }))}
            onChange={(next) => onParams({ ...params, interval: next })}
          />
        </span>
        <Button
          aria-pressed={params.compare === true}
          disabledReason={
            !isComparable &&
            params.compare !== true &&
            'The time before is not kept that long. Choose a shorter range'
          }
          onClick={() => onParams({ ...params, compare: params.compare ? undefined : true })}
        >
          Compare
        </Button>
        <IconButton
          icon={RefreshCw}
          variant="secondary"
          label="Refresh"
          busy={busy}
          onClick={() => onParams(params)}
        />
      </span>
    </div>
  )
}

function toggled(
  services: readonly MeteredService[],
  service: MeteredService,
): string[] | undefined {
  const next = services.includes(service)
    ? services.filter((one) => one !== service)
    : [...services, service]
  // All of them is what none means, too.
  return next.length === 0 || next.length === meteredServices.length ? undefined : next
}
