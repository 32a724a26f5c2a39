BEGIN TRANSACTION;
CREATE TABLE artifacts (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	type_id INTEGER NOT NULL, 
	uri TEXT NOT NULL, 
	name TEXT, 
	state TEXT NOT NULL, 
	properties TEXT NOT NULL, 
	custom_properties TEXT NOT NULL, 
	created_at DOUBLE NOT NULL, 
	updated_at DOUBLE NOT NULL, 
	FOREIGN KEY(type_id) REFERENCES types (id)
);
INSERT INTO "artifacts" VALUES(1,6,'/pipelines/root/count/total/1/value',NULL,'LIVE','{}','{"__is_null__":0,"is_external":0,"tfx_version":"1.21.0"}',1.79501925514691352842e+09,1.79501925558519649511e+09);
INSERT INTO "artifacts" VALUES(2,6,'/pipelines/root/count/total/2/value',NULL,'LIVE','{}','{"__is_null__":0,"is_external":0,"tfx_version":"1.21.0"}',1.79501925583271408084e+09,1.79501925631093931195e+09);
INSERT INTO "artifacts" VALUES(3,6,'/pipelines/root/double/twice/3/value',NULL,'LIVE','{}','{"__is_null__":0,"is_external":0,"tfx_version":"1.21.0"}',1.79501925632770013806e+09,1.79501925651378607751e+09);
INSERT INTO "artifacts" VALUES(4,6,'/pipelines/root/count/total/4/value',NULL,'LIVE','{}','{"__is_null__":0,"is_external":0,"tfx_version":"1.21.0"}',1.79501925665524268149e+09,1.79501925710163092613e+09);
INSERT INTO "artifacts" VALUES(5,6,'/pipelines/root/double/twice/5/value',NULL,'DELETED','{}','{"is_external":0,"tfx_version":"1.21.0"}',1.79501925711239719391e+09,1.79501925729918265341e+09);
INSERT INTO "artifacts" VALUES(6,6,'/pipelines/root/count/total/8/value',NULL,'LIVE','{}','{"__is_null__":0,"is_external":0,"tfx_version":"1.21.0"}',1.79501925756463384629e+09,1.79501925781399393079e+09);
CREATE TABLE associations (
	context_id INTEGER NOT NULL, 
	execution_id INTEGER NOT NULL, 
	PRIMARY KEY (context_id, execution_id), 
	FOREIGN KEY(context_id) REFERENCES contexts (id), 
	FOREIGN KEY(execution_id) REFERENCES executions (id)
)
 WITHOUT ROWID

;
INSERT INTO "associations" VALUES(1,1);
INSERT INTO "associations" VALUES(2,1);
INSERT INTO "associations" VALUES(3,1);
INSERT INTO "associations" VALUES(4,1);
INSERT INTO "associations" VALUES(5,2);
INSERT INTO "associations" VALUES(6,2);
INSERT INTO "associations" VALUES(7,2);
INSERT INTO "associations" VALUES(8,2);
INSERT INTO "associations" VALUES(5,3);
INSERT INTO "associations" VALUES(6,3);
INSERT INTO "associations" VALUES(9,3);
INSERT INTO "associations" VALUES(10,3);
INSERT INTO "associations" VALUES(6,4);
INSERT INTO "associations" VALUES(7,4);
INSERT INTO "associations" VALUES(11,4);
INSERT INTO "associations" VALUES(12,4);
INSERT INTO "associations" VALUES(6,5);
INSERT INTO "associations" VALUES(9,5);
INSERT INTO "associations" VALUES(11,5);
INSERT INTO "associations" VALUES(13,5);
INSERT INTO "associations" VALUES(6,6);
INSERT INTO "associations" VALUES(7,6);
INSERT INTO "associations" VALUES(8,6);
INSERT INTO "associations" VALUES(14,6);
INSERT INTO "associations" VALUES(6,7);
INSERT INTO "associations" VALUES(9,7);
INSERT INTO "associations" VALUES(10,7);
INSERT INTO "associations" VALUES(14,7);
INSERT INTO "associations" VALUES(2,8);
INSERT INTO "associations" VALUES(3,8);
INSERT INTO "associations" VALUES(15,8);
INSERT INTO "associations" VALUES(16,8);
CREATE TABLE attachments (
	execution_id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	content TEXT NOT NULL, 
	PRIMARY KEY (execution_id, name), 
	FOREIGN KEY(execution_id) REFERENCES executions (id)
)
 WITHOUT ROWID

;
INSERT INTO "attachments" VALUES(1,'mark','"8bbf51d3df4cec1b14041d86fbd80dec"');
INSERT INTO "attachments" VALUES(1,'progress','{}');
INSERT INTO "attachments" VALUES(1,'result','{"first_party_files":{"/pipelines/parts.py":"432562694ffeb0487f6e82073d961884cb8db0b62686f0874073bdb25328ff5b"},"manifests":{"total":[{"":[1,1795019255563034040,2432014819]}]}}');
INSERT INTO "attachments" VALUES(2,'mark','"ca810378d66ed0f59656b148948cfaee"');
INSERT INTO "attachments" VALUES(2,'progress','{}');
INSERT INTO "attachments" VALUES(2,'result','{"first_party_files":{"/pipelines/parts.py":"432562694ffeb0487f6e82073d961884cb8db0b62686f0874073bdb25328ff5b"},"manifests":{"total":[{"":[1,1795019256270404532,1466896124]}]}}');
INSERT INTO "attachments" VALUES(3,'mark','"a98e59bb662d42edcbdf301490a53492"');
INSERT INTO "attachments" VALUES(3,'progress','{}');
INSERT INTO "attachments" VALUES(3,'result','{"first_party_files":{"/pipelines/parts.py":"432562694ffeb0487f6e82073d961884cb8db0b62686f0874073bdb25328ff5b"},"manifests":{"twice":[{"":[2,1795019256495794332,2456728727]}]}}');
INSERT INTO "attachments" VALUES(4,'mark','"9c266ea380e690cf21edeb81afd3120f"');
INSERT INTO "attachments" VALUES(4,'progress','{}');
INSERT INTO "attachments" VALUES(4,'result','{"first_party_files":{"/pipelines/parts.py":"432562694ffeb0487f6e82073d961884cb8db0b62686f0874073bdb25328ff5b"},"manifests":{"total":[{"":[1,1795019257087099363,3058990603]}]}}');
INSERT INTO "attachments" VALUES(5,'mark','"1abdab1f113e1a2aaf60fb5368604282"');
INSERT INTO "attachments" VALUES(8,'mark','"ed37738c70c22823beb9d7715bb10691"');
INSERT INTO "attachments" VALUES(8,'progress','{}');
INSERT INTO "attachments" VALUES(8,'result','{"first_party_files":{"/pipelines/parts.py":"432562694ffeb0487f6e82073d961884cb8db0b62686f0874073bdb25328ff5b"},"manifests":{"total":[{"":[1,1795019257803076920,439140652]}]}}');
CREATE TABLE attributions (
	context_id INTEGER NOT NULL, 
	artifact_id INTEGER NOT NULL, 
	PRIMARY KEY (context_id, artifact_id), 
	FOREIGN KEY(context_id) REFERENCES contexts (id), 
	FOREIGN KEY(artifact_id) REFERENCES artifacts (id)
)
 WITHOUT ROWID

;
INSERT INTO "attributions" VALUES(1,1);
INSERT INTO "attributions" VALUES(2,1);
INSERT INTO "attributions" VALUES(2,6);
INSERT INTO "attributions" VALUES(3,1);
INSERT INTO "attributions" VALUES(3,6);
INSERT INTO "attributions" VALUES(4,1);
INSERT INTO "attributions" VALUES(5,2);
INSERT INTO "attributions" VALUES(5,3);
INSERT INTO "attributions" VALUES(6,2);
INSERT INTO "attributions" VALUES(6,3);
INSERT INTO "attributions" VALUES(6,4);
INSERT INTO "attributions" VALUES(6,5);
INSERT INTO "attributions" VALUES(7,2);
INSERT INTO "attributions" VALUES(7,4);
INSERT INTO "attributions" VALUES(8,2);
INSERT INTO "attributions" VALUES(9,2);
INSERT INTO "attributions" VALUES(9,3);
INSERT INTO "attributions" VALUES(9,4);
INSERT INTO "attributions" VALUES(9,5);
INSERT INTO "attributions" VALUES(10,2);
INSERT INTO "attributions" VALUES(10,3);
INSERT INTO "attributions" VALUES(11,4);
INSERT INTO "attributions" VALUES(11,5);
INSERT INTO "attributions" VALUES(12,4);
INSERT INTO "attributions" VALUES(13,4);
INSERT INTO "attributions" VALUES(13,5);
INSERT INTO "attributions" VALUES(14,2);
INSERT INTO "attributions" VALUES(14,3);
INSERT INTO "attributions" VALUES(15,6);
INSERT INTO "attributions" VALUES(16,6);
CREATE TABLE contexts (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	type_id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	custom_properties TEXT NOT NULL, 
	created_at DOUBLE NOT NULL, 
	UNIQUE (name, type_id), 
	FOREIGN KEY(type_id) REFERENCES types (id)
);
INSERT INTO "contexts" VALUES(1,1,'2026-11-18T16:27:35.094974','{"heartbeat_at":1795019255.0955026,"host":"workstation","nodes":["count","double"],"pid":14623,"pipeline":"seal","process_started_at":161653.0,"root":"/pipelines/root","skipped":{"double":"count.outputs[''total''][0].value > 2 does not hold (it is 1)"},"state":"complete","upstream":{"count":[],"double":["count"]}}',1.79501925509566211697e+09);
INSERT INTO "contexts" VALUES(2,2,'seal','{}',1.79501925514691352842e+09);
INSERT INTO "contexts" VALUES(3,3,'seal.count','{}',1.79501925514691352842e+09);
INSERT INTO "contexts" VALUES(4,4,'d11e7c74bf33cd4220f42427f5cd47a6c4fb2056eba5662b4dcb74b65ce7df8a','{}',1.79501925514691352842e+09);
INSERT INTO "contexts" VALUES(5,1,'2026-11-18T16:27:35.800594','{"heartbeat_at":1795019255.8008533,"host":"workstation","nodes":["count","double"],"pid":14623,"pipeline":"penguin","process_started_at":161653.0,"root":"/pipelines/root","state":"complete","upstream":{"count":[],"double":["count"]}}',1.79501925580092024808e+09);
INSERT INTO "contexts" VALUES(6,2,'penguin','{}',1.79501925583271408084e+09);
INSERT INTO "contexts" VALUES(7,3,'penguin.count','{}',1.79501925583271408084e+09);
INSERT INTO "contexts" VALUES(8,4,'7f8a8bf2bb14eb4a191127c61bea8cc73ee277df30d20ada9086771f52f82632','{}',1.79501925583271408084e+09);
INSERT INTO "contexts" VALUES(9,3,'penguin.double','{}',1.79501925632770013806e+09);
INSERT INTO "contexts" VALUES(10,4,'cffa743b01cab96429f180a6fcd2e39380eb192ed5d74bfe298443066359a49e','{}',1.79501925632770013806e+09);
INSERT INTO "contexts" VALUES(11,1,'2026-11-18T16:27:36.616584','{"deleted_at":1795019257.8289156,"heartbeat_at":1795019256.6168418,"host":"workstation","nodes":["count","double"],"pid":14623,"pipeline":"penguin","process_started_at":161653.0,"root":"/pipelines/root","state":"failed","upstream":{"count":[],"double":["count"]}}',1.79501925661690521236e+09);
INSERT INTO "contexts" VALUES(12,4,'02622a9687d7eb8e5a9a5ac79848286be12403bc9c88c0c4f529c97a3087a39b','{}',1.79501925665524268149e+09);
INSERT INTO "contexts" VALUES(13,4,'9f14b2e3d5454fe040ed77ea10edc189ceb1526d1e95433a3f7b9e1e6cd58f89','{}',1.79501925711239719391e+09);
INSERT INTO "contexts" VALUES(14,1,'2026-11-18T16:27:37.388465','{"heartbeat_at":1795019257.3888054,"host":"workstation","nodes":["count","double"],"pid":14623,"pipeline":"penguin","process_started_at":161653.0,"root":"/pipelines/root","state":"complete","upstream":{"count":[],"double":["count"]}}',1.79501925738895606998e+09);
INSERT INTO "contexts" VALUES(15,1,'2026-11-18T16:27:37.525408','{"heartbeat_at":1795019257.5259175,"host":"workstation","nodes":["count","double"],"pid":14695,"pipeline":"seal","process_started_at":162001.0,"root":"/pipelines/root","state":"running","upstream":{"count":[],"double":["count"]}}',1.79501925752600741386e+09);
INSERT INTO "contexts" VALUES(16,4,'70e17f9a632a10866de773d646339c47add331f5ffdf9ab1fd3737604e5df692','{}',1.79501925756463384629e+09);
INSERT INTO "contexts" VALUES(17,1,'by-hand','{}',1.79501925783500361445e+09);
INSERT INTO "contexts" VALUES(18,1,'canceled-1','{"cancel_requested_at":5.0,"nodes":["count"],"pipeline":"seal","state":"canceled"}',1.79501925783901357652e+09);
CREATE TABLE events (
	execution_id INTEGER NOT NULL, 
	type TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	"index" INTEGER NOT NULL, 
	artifact_id INTEGER NOT NULL, 
	at DOUBLE NOT NULL, 
	PRIMARY KEY (execution_id, type, "key", "index"), 
	FOREIGN KEY(execution_id) REFERENCES executions (id), 
	FOREIGN KEY(artifact_id) REFERENCES artifacts (id)
)
 WITHOUT ROWID

;
INSERT INTO "events" VALUES(1,'OUTPUT','total',0,1,1.79501925558519649511e+09);
INSERT INTO "events" VALUES(2,'OUTPUT','total',0,2,1.79501925631093931195e+09);
INSERT INTO "events" VALUES(3,'INPUT','total',0,2,1.79501925632770013806e+09);
INSERT INTO "events" VALUES(3,'OUTPUT','twice',0,3,1.79501925651378607751e+09);
INSERT INTO "events" VALUES(4,'OUTPUT','total',0,4,1.79501925710163092613e+09);
INSERT INTO "events" VALUES(5,'INPUT','total',0,4,1.79501925711239719391e+09);
INSERT INTO "events" VALUES(5,'PENDING_OUTPUT','twice',0,5,1.79501925711239719391e+09);
INSERT INTO "events" VALUES(6,'OUTPUT','total',0,2,1795019257.43745);
INSERT INTO "events" VALUES(7,'INPUT','total',0,2,1.79501925745625138283e+09);
INSERT INTO "events" VALUES(7,'OUTPUT','twice',0,3,1.79501925745625138283e+09);
INSERT INTO "events" VALUES(8,'OUTPUT','total',0,6,1.79501925781399393079e+09);
CREATE TABLE executions (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	type_id INTEGER NOT NULL, 
	state TEXT NOT NULL, 
	custom_properties TEXT NOT NULL, 
	lease_host TEXT, 
	lease_pid BIGINT, 
	lease_process_started_at DOUBLE, 
	lease_heartbeat_at DOUBLE, 
	created_at DOUBLE NOT NULL, 
	updated_at DOUBLE NOT NULL, 
	FOREIGN KEY(type_id) REFERENCES types (id)
);
INSERT INTO "executions" VALUES(1,5,'COMPLETE','{"__node_id__":"count","__reason__":"it has not run before","__run_id__":"2026-11-18T16:27:35.094974","n":1}',NULL,NULL,NULL,NULL,1.79501925514691352842e+09,1.79501925558519649511e+09);
INSERT INTO "executions" VALUES(2,5,'COMPLETE','{"__node_id__":"count","__reason__":"it has not run before","__run_id__":"2026-11-18T16:27:35.800594","n":5}',NULL,NULL,NULL,NULL,1.79501925583271408084e+09,1.79501925631093931195e+09);
INSERT INTO "executions" VALUES(3,7,'COMPLETE','{"__node_id__":"double","__reason__":"it has not run before","__run_id__":"2026-11-18T16:27:35.800594","fail":false}',NULL,NULL,NULL,NULL,1.79501925632770013806e+09,1.79501925651378607751e+09);
INSERT INTO "executions" VALUES(4,5,'COMPLETE','{"__node_id__":"count","__reason__":"property n changed from 5 to 7","__run_id__":"2026-11-18T16:27:36.616584","n":7}',NULL,NULL,NULL,NULL,1.79501925665524268149e+09,1.79501925710163092613e+09);
INSERT INTO "executions" VALUES(5,7,'FAILED','{"__error__":"ValueError: no memory","__node_id__":"double","__reason__":"input total changed (artifact 4 instead of 2); property fail changed from false to true","__run_id__":"2026-11-18T16:27:36.616584","fail":true}',NULL,NULL,NULL,NULL,1.79501925711239719391e+09,1.79501925729121923451e+09);
INSERT INTO "executions" VALUES(6,5,'CACHED','{"__node_id__":"count","__reason__":"unchanged since execution 2","__reused_execution__":2,"__run_id__":"2026-11-18T16:27:37.388465","n":5}',NULL,NULL,NULL,NULL,1795019257.43745,1795019257.43745);
INSERT INTO "executions" VALUES(7,7,'CACHED','{"__node_id__":"double","__reason__":"unchanged since execution 3","__reused_execution__":3,"__run_id__":"2026-11-18T16:27:37.388465","fail":false}',NULL,NULL,NULL,NULL,1.79501925745625138283e+09,1.79501925745625138283e+09);
INSERT INTO "executions" VALUES(8,5,'COMPLETE','{"__node_id__":"count","__reason__":"property n changed from 1 to 9","__run_id__":"2026-11-18T16:27:37.525408","n":9}',NULL,NULL,NULL,NULL,1.79501925756463384629e+09,1.79501925781399393079e+09);
CREATE TABLE trainwright_schema_version (
	version INTEGER NOT NULL
);
INSERT INTO "trainwright_schema_version" VALUES(2);
CREATE TABLE types (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	kind TEXT NOT NULL, 
	name TEXT NOT NULL, 
	base_type TEXT, 
	properties TEXT NOT NULL, 
	UNIQUE (kind, name)
);
INSERT INTO "types" VALUES(1,'context','pipeline_run',NULL,'{}');
INSERT INTO "types" VALUES(2,'context','pipeline',NULL,'{}');
INSERT INTO "types" VALUES(3,'context','node',NULL,'{}');
INSERT INTO "types" VALUES(4,'context','execution_cache',NULL,'{}');
INSERT INTO "types" VALUES(5,'execution','parts.count',NULL,'{}');
INSERT INTO "types" VALUES(6,'artifact','Integer',NULL,'{}');
INSERT INTO "types" VALUES(7,'execution','parts.double',NULL,'{}');
CREATE INDEX artifacts_by_type ON artifacts (type_id, id);
CREATE INDEX artifacts_by_uri ON artifacts (uri);
CREATE INDEX artifacts_by_state ON artifacts (state, id);
CREATE INDEX executions_by_state ON executions (state, id);
CREATE INDEX contexts_by_type ON contexts (type_id, id);
CREATE INDEX events_by_artifact ON events (artifact_id);
CREATE INDEX associations_by_execution ON associations (execution_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('types',7);
INSERT INTO "sqlite_sequence" VALUES('contexts',18);
INSERT INTO "sqlite_sequence" VALUES('executions',8);
INSERT INTO "sqlite_sequence" VALUES('artifacts',6);
COMMIT;
