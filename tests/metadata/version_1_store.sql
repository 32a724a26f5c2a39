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
INSERT INTO "artifacts" VALUES(1,4,'/e/1',NULL,'LIVE','{"span":0}','{}',1.79478619644527816775e+09,1.79478619645005440718e+09);
INSERT INTO "artifacts" VALUES(2,6,'/m/2',NULL,'LIVE','{}','{}',1.79478619645349764819e+09,1.79478619645505809787e+09);
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
INSERT INTO "associations" VALUES(1,2);
INSERT INTO "associations" VALUES(2,2);
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
INSERT INTO "attributions" VALUES(1,2);
INSERT INTO "attributions" VALUES(2,1);
INSERT INTO "attributions" VALUES(2,2);
CREATE TABLE contexts (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	type_id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	custom_properties TEXT NOT NULL, 
	created_at DOUBLE NOT NULL, 
	UNIQUE (name, type_id), 
	FOREIGN KEY(type_id) REFERENCES types (id)
);
INSERT INTO "contexts" VALUES(1,1,'run1','{"pipeline":"penguin","state":"complete"}',1.79478619644199109076e+09);
INSERT INTO "contexts" VALUES(2,2,'penguin','{}',1.79478619644527816775e+09);
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
INSERT INTO "events" VALUES(1,'OUTPUT','examples',0,1,1.79478619645005440718e+09);
INSERT INTO "events" VALUES(2,'INPUT','examples',0,1,1.79478619645349764819e+09);
INSERT INTO "events" VALUES(2,'OUTPUT','model',0,2,1.79478619645505809787e+09);
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
INSERT INTO "executions" VALUES(1,3,'COMPLETE','{"__node_id__":"CsvExampleGen"}',NULL,NULL,NULL,NULL,1.79478619644527816775e+09,1.79478619645005440718e+09);
INSERT INTO "executions" VALUES(2,5,'COMPLETE','{"__node_id__":"Trainer","epochs":5}',NULL,NULL,NULL,NULL,1.79478619645349764819e+09,1.79478619645505809787e+09);
CREATE TABLE trainwright_schema_version (
	version INTEGER NOT NULL
);
INSERT INTO "trainwright_schema_version" VALUES(1);
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
INSERT INTO "types" VALUES(3,'execution','tfx.components.example_gen.csv_example_gen.component.CsvExampleGen',NULL,'{}');
INSERT INTO "types" VALUES(4,'artifact','Examples','Dataset','{"span":"INT","split_names":"STRING"}');
INSERT INTO "types" VALUES(5,'execution','tfx.components.trainer.component.Trainer','Train','{}');
INSERT INTO "types" VALUES(6,'artifact','Model','Model','{}');
CREATE INDEX artifacts_by_uri ON artifacts (uri);
CREATE INDEX artifacts_by_type ON artifacts (type_id, id);
CREATE INDEX executions_by_state ON executions (state, id);
CREATE INDEX contexts_by_type ON contexts (type_id, id);
CREATE INDEX events_by_artifact ON events (artifact_id);
CREATE INDEX associations_by_execution ON associations (execution_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('types',6);
INSERT INTO "sqlite_sequence" VALUES('contexts',2);
INSERT INTO "sqlite_sequence" VALUES('executions',2);
INSERT INTO "sqlite_sequence" VALUES('artifacts',2);
COMMIT;
