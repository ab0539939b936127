// What users of Google's Node client write: an agent, its tools, a conversation. Reads its task as JSON from standard
// input ({version, transport, http, grpc, schema}) and writes what it saw as JSON to standard output.
import {readFileSync} from 'node:fs';
import cx from '@google-cloud/dialogflow-cx';
import {grpc} from 'google-gax';
import {GoogleAuth, PassThroughClient} from 'google-auth-library';

const task = JSON.parse(readFileSync(0, 'utf8'));
const library = cx[task.version];
const parent = 'projects/p/locations/global';

function options() {
  if (task.transport === 'grpc') {
    const [apiEndpoint, port] = task.grpc.split(':');
    return {apiEndpoint, port: Number(port), sslCreds: grpc.credentials.createInsecure()};
  }
  const {hostname, port} = new URL(task.http);
  const auth = new GoogleAuth({authClient: new PassThroughClient()});
  return {fallback: true, protocol: 'http', apiEndpoint: hostname, port: Number(port), auth};
}

const opened = [];
function client(service) {
  const made = new library[`${service}Client`](options());
  opened.push(made);
  return made;
}
const agents = client('Agents');
const tools = client('Tools');
const playbooks = client('Playbooks');
const sessions = client('Sessions');

// Protobuf's Struct, both ways, for values of one level.
const struct = object => ({
  fields: Object.fromEntries(Object.entries(object).map(([name, numberValue]) => [name, {numberValue}])),
});
const plain = value =>
  Object.fromEntries(Object.entries(value.fields).map(([name, held]) => [name, held.stringValue ?? held.numberValue]));

const texts = response => response.queryResult.responseMessages.flatMap(message => message.text?.text ?? []);

async function failure(promise) {
  try {
    await promise;
    return null;
  } catch (error) {
    return {code: error.code, message: error.message};
  }
}

async function main() {
  const [agent] = await agents.createAgent({
    parent,
    agent: {displayName: 'Node', defaultLanguageCode: 'en', timeZone: 'Etc/UTC'},
  });
  const [pets] = await tools.createTool({
    parent: agent.name,
    tool: {displayName: 'Pets', description: 'The pets.', openApiSpec: {textSchema: task.schema}},
  });
  const [weather] = await tools.createTool({
    parent: agent.name,
    tool: {displayName: 'get-weather-tool', description: 'The weather.', functionSpec: {}},
  });
  const [changed] = await tools.updateTool({
    tool: {name: weather.name, description: 'Tells the weather.'},
    updateMask: {paths: ['description']},
  });
  const [read] = await tools.getTool({name: pets.name});
  const paged = [];
  for await (const tool of tools.listToolsAsync({parent: agent.name, pageSize: 1})) paged.push(tool.displayName);

  const steps = [{text: 'Use ${TOOL: Pets} and ${TOOL: get-weather-tool}.'}];
  const [playbook] = await playbooks.createPlaybook({
    parent: agent.name,
    playbook: {displayName: 'Desk', goal: 'Help.', instruction: {steps}},
  });
  await agents.updateAgent({
    agent: {name: agent.name, startPlaybook: playbook.name},
    updateMask: {paths: ['start_playbook']},
  });

  const session = `${agent.name}/sessions/1`;
  const say = text => ({session, queryInput: {text: {text}, languageCode: 'en'}});
  const [answered] = await sessions.detectIntent(say('pet 3'));
  const [paused] = await sessions.detectIntent(say('weather in Oslo?'));
  const {toolCall} = paused.queryResult.responseMessages[0];
  const toolCallResult = {tool: toolCall.tool, action: toolCall.action, outputParameters: struct({temperature: 28.5})};
  const [resumed] = await sessions.detectIntent({session, queryInput: {toolCallResult, languageCode: 'en'}});

  const streamed = [];
  for await (const response of sessions.serverStreamingDetectIntent(say('hello'))) {
    streamed.push({type: response.responseType, texts: texts(response)});
  }

  // A stream both ways, which only gRPC has; the client ends its side when it has its answer.
  const bothWays = [];
  if (task.transport === 'grpc') {
    const stream = sessions.streamingDetectIntent();
    stream.write({...say('hello'), enablePartialResponse: true});
    for await (const {detectIntentResponse} of stream) {
      bothWays.push({type: detectIntentResponse.responseType, texts: texts(detectIntentResponse)});
      if (detectIntentResponse.responseType === 'FINAL') stream.end();
    }
  }

  const [operation] = await agents.exportAgent({name: agent.name, dataFormat: 'JSON_PACKAGE'});
  const [exported] = await operation.promise();
  // The same result again would be answered as before; another one comes too late.
  const other = {...toolCallResult, outputParameters: struct({temperature: 1})};
  const late = await failure(sessions.detectIntent({session, queryInput: {toolCallResult: other, languageCode: 'en'}}));
  const missing = await failure(tools.getTool({name: `${agent.name}/tools/none`}));
  await agents.deleteAgent({name: agent.name});
  const deleted = await failure(agents.getAgent({name: agent.name}));

  return {
    sameSchema: read.openApiSpec.textSchema === task.schema,
    description: changed.description,
    paged,
    answered: texts(answered),
    asked: {action: toolCall.action, ofTheTool: toolCall.tool === weather.name, input: plain(toolCall.inputParameters)},
    resumed: texts(resumed),
    streamed,
    bothWays,
    exported: Buffer.from(exported.agentContent).subarray(0, 2).toString(),
    late,
    missing,
    deleted: deleted.code,
  };
}

process.stdout.write(JSON.stringify(await main()));
await Promise.all(opened.map(each => each.close()));
