import { open } from './.shot.mjs'
const b = await open(); const base='http://127.0.0.1:5199'
for (const path of ['/sign-in','/organizations','/org/kestrel-coffee','/project/tqzzlwifwpmnewcdlnwx','/project/tqzzlwifwpmnewcdlnwx/settings/general','/new/kestrel-coffee']) {
const ctx = await b.newContext({viewport:{width:1440,height:900}, colorScheme:'dark', ...(path==='/sign-in'?{}:{storageState:'/tmp/dash-state.json'})})
const p = await ctx.newPage()
await p.addInitScript(()=>{ window.cls=0; window.shifts=[]; new PerformanceObserver(l=>{for(const e of l.getEntries()){ if(!e.hadRecentInput){window.cls+=e.value; window.shifts.push([e.value.toFixed(4), ...e.sources.map(s=>(s.node?.className||s.node?.nodeName||'')+'')])}}}).observe({type:'layout-shift',buffered:true}); window.lcp=0; new PerformanceObserver(l=>{for(const e of l.getEntries()) window.lcp=e.startTime}).observe({type:'largest-contentful-paint',buffered:true}) })
let reqs=0; p.on('request',r=>{ if(r.url().endsWith('.js')) reqs++ })
await p.goto(base+path); await p.waitForLoadState('networkidle'); await p.waitForTimeout(1200)
console.log(path, p.url().replace(base,''), await p.evaluate(()=>JSON.stringify({cls:window.cls.toFixed(4),lcp:Math.round(window.lcp),shifts:window.shifts})), 'js requests',reqs)
await ctx.close()
}
await b.close()
