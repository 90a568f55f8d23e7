import { open } from './.shot.mjs'
const b = await open()
async function page(base, opts={}, setup) { const ctx = await b.newContext({viewport:{width:1440,height:900}, colorScheme:'dark', ...opts}); const p=await ctx.newPage(); p.setDefaultTimeout(15000); p.problems=[]; p.on('console',m=>{ if(['error','warning'].includes(m.type())) p.problems.push(m.text().slice(0,300))}); p.on('pageerror',e=>p.problems.push('PE '+e.message)); if(setup) await setup(p); return p }
let p = await page('', {}); await p.goto('http://127.0.0.1:5198/sign-in'); await p.waitForSelector('h1',{timeout:60000}); console.log('dev', await p.title(), p.problems)
await p.goto('http://127.0.0.1:5198/__ui'); await p.waitForSelector('text=Plinth components'); console.log('dev ui', p.problems)
const st={storageState:'/tmp/dash-state.json'}; const base='http://127.0.0.1:5199'
p = await page('', st, p=>p.route('**/api/get-utc-time', r=>r.fulfill({json:{utcTime:new Date(Date.now()-4*60000).toISOString()}})))
await p.goto(base+'/organizations'); await p.waitForSelector('.banner'); await p.click('text=More information'); await p.waitForSelector('.dlg'); await p.waitForTimeout(300); await p.screenshot({path:'/tmp/shots/e-clock.png'}); console.log('clock', p.problems)
p = await page('', st, p=>p.route('**/platform/projects/*', r=>r.fulfill({status:500, headers:{'retry-after':'0'}, json:{message:'Something went wrong on our side',code:'internal',requestId:'x'}})))
await p.goto(base+'/project/tqzzlwifwpmnewcdlnwx'); await p.waitForSelector('text=could not be loaded'); await p.screenshot({path:'/tmp/shots/e-500.png'})
await p.unroute('**/platform/projects/*'); await p.click('text=Try again'); await p.waitForSelector('text=Connect an app'); console.log('500 recovered')
p = await page('', st, p=>p.route('**/platform/profile', r=>r.abort())); 
const t=Date.now(); await p.goto(base+'/organizations'); await p.waitForSelector('text=Unable to reach the server'); await p.screenshot({path:'/tmp/shots/e-network.png'}); console.log('network failure shown after', Date.now()-t)
p = await page('', st, p=>p.route('**/platform/profile', r=>r.fulfill({status:401,json:{message:'Sign in',code:'not_signed_in'}}))); await p.goto(base+'/organizations'); await p.waitForURL(/sign-in/); console.log('401 -> ', p.url(), await p.evaluate(()=>Object.keys(localStorage)))
p = await page('', st, p=>p.route('**/platform/organizations/*/projects*', r=>r.fulfill({status:403,json:{message:'You do not have permission to do this',code:'not_allowed'}}))); await p.goto(base+'/org/kestrel-coffee'); await p.waitForSelector('text=Could not load projects'); await p.screenshot({path:'/tmp/shots/e-list.png'})
p = await page('', st, p=>p.route('**/platform/profile/permissions', async r=>{const x=await r.fetch(); const j=await x.json(); await r.fulfill({json:j.map(y=>({...y,actions:['read:Read']}))})})); await p.goto(base+'/project/tqzzlwifwpmnewcdlnwx/settings/general'); await p.waitForSelector('text=Availability'); await p.hover('button:has-text("Pause project")'); await p.waitForSelector('.tip'); await p.screenshot({path:'/tmp/shots/e-denied.png'})
await b.close()
