import { areaNames, type SettingDifference } from '#contract/projects/branch-travel'
import { shownValue } from './setting-value.ts'

const longest = 60

/** Settings that differ: what stands there now, and what would. */
export const SettingsList = ({ list }: { list: readonly SettingDifference[] }) => (
  <ul className="branch-list">
    {list.map(({ area, name, from, to }) => (
      <li key={`${area} ${name}`} className="branch-setting">
        <span className="grow">
          {areaNames[area]} <span className="mono">{name}</span>
        </span>
        <Change from={shownValue(from)} to={shownValue(to)} />
      </li>
    ))}
  </ul>
)

function Change({ from, to }: { from: string; to: string }) {
  if (from.length + to.length <= longest)
    return (
      <span className="mono t12">
        <del>{from}</del> → <ins>{to}</ins>
      </span>
    )
  return (
    <details className="branch-long">
      <summary>Show the change</summary>
      <p className="med t12">Now</p>
      <pre className="mono t12">{from}</pre>
      <p className="med t12">After</p>
      <pre className="mono t12">{to}</pre>
    </details>
  )
}
