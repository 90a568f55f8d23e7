import { open } from './.shot.mjs'
import { AxeBuilder } from '@axe-core/playwright'
const b = await open(); const base='http://127.0.0.1:5199'
const ctx = await b.newContext({viewport:{width:390,height:844}, colorScheme:'dark', storageState:'/tmp/dash-state.json'})
const p = await ctx.newPage(); p.setDefaultTimeout(8000)
p.on('console',m=>console.log(m.type(),m.text().slice(0,200))); p.on('pageerror',e=>console.log('PE',e.message.slice(0,300)))
let n=0; p.on('request',r=>{n++; if(n<60) console.log(r.method(), r.url().slice(0,120))})
await p.goto(base+'/project/tqzzlwifwpmnewcdlnwx',{waitUntil:'commit'}); await p.waitForTimeout(3000); console.log('requests',n, p.url(), await Promise.race([p.evaluate(()=>document.body.innerText.slice(0,200)), new Promise(r=>setTimeout(()=>r('STUCK'),3000))]))
await b.close()
